import { describe, expect, it } from '@jest/globals';
import {
  decide,
  evolve,
  initialReport,
  type Report,
  ReportCancelled,
  ReportCompleted,
  type ReportDecision,
  type ReportEvent,
  ReportExpired,
  ReportGenerationFailed,
  ReportGenerationStarted,
  type ReportManifest,
  ReportRefused,
  ReportRequested,
  ReportReused,
} from './report.js';

const requested = new ReportRequested(
  {
    type: 'livestock-sale.v1',
    tenantType: 'farm',
    tenantId: 'farm-1',
    reportingPeriodStart: 0,
    reportingPeriodEnd: 1,
  },
  'livestock-sale.v1',
  { start: '2024-07-01', end: '2025-06-30', timeZone: 'Australia/Sydney' },
  [],
  'api-key:ak_1',
  true,
  1000,
);
const manifest: ReportManifest = {
  generator: 'livestock-sale.v1',
  generatorVersion: '1',
  recordsPosition: '7',
  rows: 2,
  files: [{ format: 'csv', bytes: 3, sha256: '00' }],
  controlTotals: {},
  warnings: 0,
};
const started = (attempt: number): ReportEvent => new ReportGenerationStarted(attempt, 2000);
const failed = (attempt: number, retrying: boolean): ReportEvent =>
  new ReportGenerationFailed(attempt, 'the database went away', retrying, 3000);
const completed = new ReportCompleted(1, manifest, 4000);
const cancelled = new ReportCancelled('api-key:ak_1', 5000);
const expired = new ReportExpired(6000);

function given(...events: ReportEvent[]) {
  const report = events.reduce<Report>(evolve, initialReport);
  return {
    when: (command: ReportDecision) => ({
      then: (...expected: ReportEvent[]) => {
        expect(decide(command, report)).toEqual(expected);
      },
      refused: () => {
        expect(() => decide(command, report)).toThrow(ReportRefused);
      },
    }),
  };
}

const start: ReportDecision = { do: 'start', at: 2000 };
const complete = (attempt: number): ReportDecision => ({ do: 'complete', attempt, manifest, at: 4000 });
const fail = (attempt: number, retrying: boolean): ReportDecision => ({
  do: 'fail',
  attempt,
  reason: 'the database went away',
  retrying,
  at: 3000,
});
const cancel: ReportDecision = { do: 'cancel', by: 'api-key:ak_1', at: 5000 };
const expire: ReportDecision = { do: 'expire', at: 6000 };
const reuse: ReportDecision = {
  do: 'reuse',
  by: 'b',
  cacheStatus: 'reports; hit; ttl=1',
  count: 1,
  at: 7000,
};

describe('a report', () => {
  it('is requested once', () => {
    const { type: _, ...request } = requested;
    given()
      .when({ do: 'request', ...request })
      .then(requested);
    given(requested)
      .when({ do: 'request', ...request })
      .refused();
  });

  it('starts with attempt 1', () => {
    given(requested).when(start).then(started(1));
  });

  it('starts another attempt after one that failed and is retried', () => {
    given(requested, started(1), failed(1, true)).when(start).then(started(2));
  });

  it('starts another attempt when the worker of the running one was lost', () => {
    given(requested, started(1)).when(start).then(started(2));
  });

  it('is completed by the attempt that runs', () => {
    given(requested, started(1)).when(complete(1)).then(completed);
  });

  it('refuses the result of an attempt that was given up', () => {
    given(requested, started(1), started(2)).when(complete(1)).refused();
    given(requested, started(1), failed(1, true)).when(complete(1)).refused();
  });

  it('refuses the failure of an attempt that was given up', () => {
    given(requested, started(1), started(2)).when(fail(1, true)).refused();
  });

  it('fails for good when no retry is left', () => {
    given(requested, started(1)).when(fail(1, false)).then(failed(1, false));
    given(requested, started(1), failed(1, false)).when(start).refused();
  });

  it.each([
    ['pending', [requested]],
    ['processing', [requested, started(1)]],
    ['between attempts', [requested, started(1), failed(1, true)]],
  ])('is cancelled while %s', (_status, history) => {
    given(...history)
      .when(cancel)
      .then(cancelled);
  });

  it.each([
    ['completed', [requested, started(1), completed]],
    ['failed', [requested, started(1), failed(1, false)]],
    ['cancelled', [requested, cancelled]],
    ['expired', [requested, started(1), completed, expired]],
  ])('is not cancelled, started or completed once it is %s', (_status, history) => {
    for (const command of [cancel, start, complete(1), fail(1, true)])
      given(...history)
        .when(command)
        .refused();
  });

  it('expires only after it was completed, and once', () => {
    given(requested, started(1), completed).when(expire).then(expired);
    given(requested, started(1), completed, expired).when(expire).then();
    given(requested).when(expire).refused();
  });

  it.each([
    ['pending', [requested]],
    ['processing', [requested, started(1)]],
    ['completed', [requested, started(1), completed]],
  ])('is reused while %s', (_status, history) => {
    given(...history)
      .when(reuse)
      .then(new ReportReused('b', 'reports; hit; ttl=1', 1, 7000));
  });

  it('is not reused once it was cancelled', () => {
    given(requested, cancelled).when(reuse).refused();
  });

  it('is left as it is by an event it does not know', () => {
    const unknown = { type: 'ReportFramed', at: 1 } as unknown as ReportEvent;
    given(requested, unknown).when(start).then(started(1));
  });

  it('makes nothing of events before its request', () => {
    given(started(1)).when(start).refused();
  });
});
