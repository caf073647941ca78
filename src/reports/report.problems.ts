import { Problem, ValidationProblem } from '../operations/problem.js';
import { IdempotencyKeyInFlight, IdempotencyKeyReused } from './idempotency.js';
import { PeriodBackwards } from './period.js';
import { ReportRefused } from './report.js';
import { FarmNotAccessible, NothingReusable } from './request-report.handler.js';

export function reportNotFound(): Problem {
  return new Problem('report-not-found', 'There is no report with this id that you may see.');
}

/** Rethrows what the core refused as the problem a caller sees. */
export function toProblem(refusal: unknown): never {
  if (refusal instanceof FarmNotAccessible) {
    throw new Problem('farm-not-accessible', 'There is no such farm, or your credential does not reach it.');
  }
  if (refusal instanceof NothingReusable) {
    const headers = { 'Cache-Status': refusal.cacheStatus };
    throw new Problem(
      'nothing-reusable',
      'No report of this request may be reused, and only-if-cached forbids a new one.',
      { headers },
    );
  }
  if (refusal instanceof PeriodBackwards) {
    const detail = 'reportingPeriodStart lies after reportingPeriodEnd.';
    throw new ValidationProblem([{ pointer: '/reportingPeriodStart', detail }]);
  }
  if (refusal instanceof IdempotencyKeyInFlight) {
    const headers = { 'Retry-After': '1' };
    throw new Problem(
      'idempotency-key-in-use',
      'A request with this Idempotency-Key is being answered; ask again shortly.',
      { headers },
    );
  }
  if (refusal instanceof IdempotencyKeyReused) {
    throw new Problem(
      'idempotency-key-reused',
      'This Idempotency-Key came with another body; use a new key for a new request.',
    );
  }
  if (refusal instanceof ReportRefused) {
    throw new Problem('report-ended', `The report is ${refusal.status} and cannot be changed any more.`);
  }
  throw refusal;
}
