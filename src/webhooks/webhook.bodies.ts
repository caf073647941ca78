import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { Optional } from '../operations/read-body.js';
import { WEBHOOK_EVENTS, type DeliveryStatus, type WebhookEvent } from './endpoint.js';

const URL = 'url must be a text: the address to send to.';
const DESCRIPTION = 'description has up to 200 characters, none of them a control character.';
const EVENTS = `events must list some of ${WEBHOOK_EVENTS.join(', ')}`;
const FARMS = 'farms must list ids of farms, at least one, or be null for every farm in reach';
export const STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const satisfies DeliveryStatus[];
export const MOST_FARMS = 1_000;
export const A_MONTH = 2_592_000;

const OptionalOrNull = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);

/** What may be said about an endpoint and need not be. */
class EndpointBody {
  @Optional()
  @Matches(/^\P{Cc}*$/u, { message: DESCRIPTION })
  @MaxLength(200, { message: DESCRIPTION })
  @IsString({ message: 'description must be a text.' })
  readonly description?: string;

  @Optional()
  @IsIn(WEBHOOK_EVENTS, { each: true, message: `${EVENTS}.` })
  @ArrayMinSize(1, { message: `${EVENTS}.` })
  @ArrayMaxSize(WEBHOOK_EVENTS.length, { message: `${EVENTS}, each once.` })
  @IsArray({ message: `${EVENTS}.` })
  readonly events?: WebhookEvent[];

  @OptionalOrNull()
  @Matches(/^\P{Cc}*$/u, { each: true, message: `${FARMS}.` })
  @MinLength(1, { each: true, message: `${FARMS}.` })
  @MaxLength(100, { each: true, message: `${FARMS}.` })
  @IsString({ each: true, message: `${FARMS}.` })
  @ArrayMinSize(1, { message: `${FARMS}.` })
  @ArrayMaxSize(MOST_FARMS, { message: `farms lists up to ${MOST_FARMS} farms.` })
  @IsArray({ message: `${FARMS}.` })
  readonly farms?: string[] | null;

  @Optional()
  @IsBoolean({ message: 'enabled must be true or false.' })
  readonly enabled?: boolean;
}

/** The body of POST /v2/webhook-endpoints. */
export class RegisterEndpointBody extends EndpointBody {
  @IsString({ message: URL })
  readonly url!: string;
}

/** The body of PATCH /v2/webhook-endpoints/{id}: what is left out stays as it is. */
export class ChangeEndpointBody extends EndpointBody {
  @Optional()
  @IsString({ message: URL })
  readonly url?: string;
}

/** The body of POST /v2/webhook-endpoints/{id}/rotate-secret; none is the same as an empty object. */
export class RotateSecretBody {
  /** Seconds for which messages are signed with the old secret too: a day unless said. */
  @Optional()
  @Max(A_MONTH, { message: `graceSeconds must be a whole number of seconds from 0 to ${A_MONTH}.` })
  @Min(0, { message: `graceSeconds must be a whole number of seconds from 0 to ${A_MONTH}.` })
  @IsInt({ message: `graceSeconds must be a whole number of seconds from 0 to ${A_MONTH}.` })
  readonly graceSeconds?: number;
}

const INSTANT = 'must be a whole number of Unix milliseconds';
/** The year 9999 in Unix milliseconds: what PostgreSQL and Date both hold. */
const LAST_INSTANT = 253_402_300_799_999;

/** The body of POST /v2/webhook-endpoints/{id}/replay. */
export class ReplayBody {
  @Max(LAST_INSTANT, { message: `since ${INSTANT}.` })
  @Min(0, { message: `since ${INSTANT}.` })
  @IsInt({ message: `since ${INSTANT}.` })
  readonly since!: number;

  @Optional()
  @Max(LAST_INSTANT, { message: `until ${INSTANT}.` })
  @Min(0, { message: `until ${INSTANT}.` })
  @IsInt({ message: `until ${INSTANT}.` })
  readonly until?: number;

  @Optional()
  @IsIn(STATUSES, { each: true, message: `statuses must list some of ${STATUSES.join(', ')}.` })
  @ArrayMinSize(1, { message: `statuses must list some of ${STATUSES.join(', ')}.` })
  @ArrayMaxSize(STATUSES.length, { message: `statuses must list some of ${STATUSES.join(', ')}.` })
  @IsArray({ message: `statuses must list some of ${STATUSES.join(', ')}.` })
  readonly statuses?: DeliveryStatus[];
}

export function isStatus(text: unknown): text is DeliveryStatus {
  return STATUSES.includes(text as DeliveryStatus);
}
