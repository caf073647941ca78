import { Problem } from '../operations/problem.js';
import { toProblem } from '../reports/index.js';
import { ComparedReportFailed, NotDeprecated, UnknownType } from './messages.js';

/** Rethrows what was refused as the problem a caller sees. */
export function toComparisonProblem(refusal: unknown): never {
  if (refusal instanceof UnknownType) throw new Problem('report-type-not-found', refusal.message);
  if (refusal instanceof NotDeprecated) throw new Problem('type-not-deprecated', refusal.message);
  if (refusal instanceof ComparedReportFailed) throw new Problem('report-failed', refusal.message);
  return toProblem(refusal);
}
