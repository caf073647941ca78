import { plainToInstance } from 'class-transformer';
import {
  Equals,
  IsInt,
  IsString,
  Max,
  Min,
  MinLength,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { type FieldProblem, ValidationProblem } from '../operations/problem.js';
import type { ReportRequest } from './report.js';

const INSTANT = 'must be a whole number of Unix milliseconds from 0 to 9007199254740991, not a text';

/** The body of POST /v2/report. Nothing is coerced and unknown fields are ignored. */
class CreateReportBody {
  @IsString({ message: 'type must be a text: the identifier of a report type.' })
  readonly type!: string;

  @Equals('farm', { message: 'tenantType must be "farm".' })
  readonly tenantType!: 'farm';

  @MinLength(1, { message: 'tenantId must not be empty.' })
  @IsString({ message: 'tenantId must be a text: the id of a farm.' })
  readonly tenantId!: string;

  @Max(Number.MAX_SAFE_INTEGER, { message: `reportingPeriodStart ${INSTANT}.` })
  @Min(0, { message: `reportingPeriodStart ${INSTANT}.` })
  @IsInt({ message: `reportingPeriodStart ${INSTANT}.` })
  readonly reportingPeriodStart!: number;

  @Max(Number.MAX_SAFE_INTEGER, { message: `reportingPeriodEnd ${INSTANT}.` })
  @Min(0, { message: `reportingPeriodEnd ${INSTANT}.` })
  @IsInt({ message: `reportingPeriodEnd ${INSTANT}.` })
  readonly reportingPeriodEnd!: number;
}

/** The five fields of a create. Throws a ValidationProblem naming every bad field. */
export function readCreateReport(body: unknown, knownTypes: readonly string[]): ReportRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ValidationProblem([
      { pointer: '', detail: 'The body must be a JSON object with the five fields of a report request.' },
    ]);
  }
  const read = plainToInstance(CreateReportBody, pick(body));
  const errors = validateSync(read).map(describe);
  if (typeof read.type === 'string' && !knownTypes.includes(read.type)) {
    errors.unshift({
      pointer: '/type',
      detail: `type is not a report type. Known types: ${knownTypes.join(', ')}.`,
    });
  }
  if (errors.length > 0) throw new ValidationProblem(errors);
  return Object.assign({}, read);
}

function pick(body: object): Record<string, unknown> {
  const given = body as Record<string, unknown>;
  const fields = ['type', 'tenantType', 'tenantId', 'reportingPeriodStart', 'reportingPeriodEnd'];
  return Object.fromEntries(
    fields.map((field) => [field, Object.hasOwn(given, field) ? given[field] : undefined]),
  );
}

function describe({ property, value, constraints = {} }: ValidationError): FieldProblem {
  const detail =
    value === undefined
      ? `${property} is missing.`
      : (Object.values(constraints)[0] ?? `${property} is not valid.`);
  return { pointer: `/${property}`, detail };
}
