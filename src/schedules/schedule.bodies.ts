import {
  Equals,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Optional } from '../operations/read-body.js';
import { PERIODS, type Rhythm } from './rhythm.js';

const EVERY = `every must be one of ${PERIODS.join(', ')}.`;
const DAYS_AFTER = 'daysAfter must be a whole number of days from 1 to 60.';
const AT = 'at must be a time of day on the farm’s clocks, HH:MM, such as 06:00.';
const TENANT_ID = 'tenantId must be a text of 1 to 100 characters: the id of a farm.';
const TYPE = 'type must be a text: the identifier of a report type.';

/** What may be said about a schedule and need not be. */
class ScheduleBody {
  /** Days after the period’s last day. */
  @Optional()
  @Max(60, { message: DAYS_AFTER })
  @Min(1, { message: DAYS_AFTER })
  @IsInt({ message: DAYS_AFTER })
  readonly daysAfter?: number;

  @Optional()
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: AT })
  @IsString({ message: AT })
  readonly at?: string;

  @Optional()
  @IsBoolean({ message: 'enabled must be true or false.' })
  readonly enabled?: boolean;
}

/** The body of POST /v2/report-schedules. */
export class CreateScheduleBody extends ScheduleBody {
  @MaxLength(100, { message: TYPE })
  @IsString({ message: TYPE })
  readonly type!: string;

  @Equals('farm', { message: 'tenantType must be "farm".' })
  readonly tenantType!: 'farm';

  @MaxLength(100, { message: TENANT_ID })
  @MinLength(1, { message: TENANT_ID })
  @IsString({ message: TENANT_ID })
  readonly tenantId!: string;

  @IsIn(PERIODS, { message: EVERY })
  readonly every!: Rhythm['every'];
}

/** The body of PATCH /v2/report-schedules/{id}: what is left out stays as it is. */
export class ChangeScheduleBody extends ScheduleBody {
  @Optional()
  @IsIn(PERIODS, { message: EVERY })
  readonly every?: Rhythm['every'];
}
