import { Equals, IsInt, IsString, Max, Min, MinLength } from 'class-validator';
import { ValidationProblem } from '../operations/problem.js';
import { checkBody } from '../operations/read-body.js';
import type { ReportRequest } from './report.js';

const INSTANT = 'must be a whole number of Unix milliseconds from 0 to 9007199254740991, not a text';

/** The body of POST /v2/report. Nothing is coerced and unknown fields are ignored. */
export class CreateReportBody {
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
  const expected = 'a JSON object with the five fields of a report request';
  const { read, errors } = checkBody(CreateReportBody, body, expected);
  const detail = `type is not a report type. Known types: ${knownTypes.join(', ')}.`;
  const unknown = typeof read.type === 'string' && !knownTypes.includes(read.type);
  const problems = [...(unknown ? [{ pointer: '/type', detail }] : []), ...errors];
  if (problems.length > 0) throw new ValidationProblem(problems);
  return Object.assign({}, read);
}
