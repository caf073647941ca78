import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const GENERATION_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
const WAIT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** What the library measures beside the rest under names that Prometheus' own rules refuse. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
];

/**
 * Everything this process measures, in base units. Label values come from fixed lists: routes as they are registered,
 * report types of the catalogue, formats; never an id or anything a caller chose. Gauges of what all processes share are
 * read from the database at a scrape, and every process answers the same: take their `max`, not their `sum`.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  private readonly registers = [this.registry];

  readonly requestSeconds = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer; status 499: the caller left before.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_SECONDS,
    enableExemplars: true,
    registers: this.registers,
  });

  readonly activeRequests = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests that are being answered.',
    registers: this.registers,
  });

  readonly refusedRequests = new Counter({
    name: 'muster_http_refused_requests_total',
    help: 'Requests answered 503 before any work: the process is overloaded, or stops.',
    labelNames: ['reason'] as const,
    registers: this.registers,
  });

  readonly reportsCreated = new Counter({
    name: 'muster_reports_created_total',
    help: 'Report requests answered: with a new report, a reused one, or by joining one in the making.',
    labelNames: ['type', 'outcome'] as const,
    registers: this.registers,
  });

  readonly deprecatedRequests = new Counter({
    name: 'muster_deprecated_type_requests_total',
    help: 'Report requests for a deprecated type.',
    labelNames: ['type'] as const,
    registers: this.registers,
  });

  readonly queueWait = new Histogram({
    name: 'muster_report_queue_wait_seconds',
    help: 'Time from the request for a report to the start of its first attempt.',
    buckets: WAIT_SECONDS,
    registers: this.registers,
  });

  readonly generationSeconds = new Histogram({
    name: 'muster_report_generation_duration_seconds',
    help: 'Time of one attempt at a report; handed_back: stopped without being to blame.',
    labelNames: ['type', 'outcome'] as const,
    buckets: GENERATION_SECONDS,
    enableExemplars: true,
    registers: this.registers,
  });

  readonly rows = new Counter({
    name: 'muster_report_rows_total',
    help: 'Rows of completed reports.',
    labelNames: ['type'] as const,
    registers: this.registers,
  });

  readonly bytes = new Counter({
    name: 'muster_report_bytes_total',
    help: 'Content of completed reports.',
    labelNames: ['format'] as const,
    registers: this.registers,
  });

  readonly recoveries = new Counter({
    name: 'muster_job_recoveries_total',
    help: 'Attempts begun because another worker died over the report, or handed it back.',
    registers: this.registers,
  });

  readonly replicaPassedOver = new Counter({
    name: 'muster_replica_passed_over_total',
    help: 'Reports made from the primary because the replica was away, too far behind, or in their way.',
    registers: this.registers,
  });

  readonly recordsImported = new Counter({
    name: 'muster_records_imported_total',
    help: 'Records of imports, by what became of them.',
    labelNames: ['outcome'] as const,
    registers: this.registers,
  });

  readonly appendSeconds = new Histogram({
    name: 'muster_event_append_duration_seconds',
    help: 'Time of appending events to a stream, with the projections that commit beside them.',
    buckets: APPEND_SECONDS,
    registers: this.registers,
  });

  readonly tokenRequests = new Counter({
    name: 'muster_oauth_token_requests_total',
    help: 'Requests to the token endpoint.',
    labelNames: ['grant', 'result'] as const,
    registers: this.registers,
  });

  readonly scheduleRuns = new Counter({
    name: 'muster_schedule_runs_total',
    help: 'Schedules that were due, by what became of them.',
    labelNames: ['outcome'] as const,
    registers: this.registers,
  });

  readonly webhookSeconds = new Histogram({
    name: 'muster_webhook_attempt_duration_seconds',
    help: 'Time of one attempt to deliver a webhook.',
    labelNames: ['outcome'] as const,
    buckets: REQUEST_SECONDS,
    registers: this.registers,
  });

  readonly webhooksDisabled = new Counter({
    name: 'muster_webhook_endpoints_disabled_total',
    help: 'Webhook endpoints that are told nothing more until somebody enables them.',
    labelNames: ['cause'] as const,
    registers: this.registers,
  });

  readonly poolConnections = new Gauge({
    name: 'muster_database_pool_connections',
    help: 'Connections of the pool of this process.',
    labelNames: ['state'] as const,
    registers: this.registers,
  });

  readonly poolLimit = new Gauge({
    name: 'muster_database_pool_limit_connections',
    help: 'Connections that the pool of this process may have.',
    registers: this.registers,
  });

  readonly poolWaiting = new Gauge({
    name: 'muster_database_pool_waiting_requests',
    help: 'Pieces of work that wait for a connection of the pool.',
    registers: this.registers,
  });

  readonly processInfo = new Gauge({
    name: 'muster_process_info',
    help: '1: a process of this role is there.',
    labelNames: ['role'] as const,
    registers: this.registers,
  });

  readonly draining = new Gauge({
    name: 'muster_process_draining',
    help: '1 from the signal to stop until the process is gone.',
    registers: this.registers,
  });

  readonly databaseUp = new Gauge({
    name: 'muster_database_up',
    help: '1 when the database answered this process at this scrape.',
    registers: this.registers,
  });

  readonly sharedStateUp = new Gauge({
    name: 'muster_shared_state_up',
    help: '1 when what all processes share could be read at this scrape; otherwise those gauges are missing or NaN.',
    registers: this.registers,
  });

  readonly reportsInState = new Gauge({
    name: 'muster_reports_in_state',
    help: 'Reports that have not ended. Shared: the same from every process.',
    labelNames: ['state'] as const,
    registers: this.registers,
  });

  readonly oldestPendingAge = new Gauge({
    name: 'muster_report_oldest_pending_age_seconds',
    help: 'Age of the oldest report that waits for its first attempt; 0 when none does. Shared: the same from every process.',
    registers: this.registers,
  });

  readonly highestAttempt = new Gauge({
    name: 'muster_report_highest_attempt',
    help: 'Number of the attempt at the report in the making that has had the most; 0 when none is made. Shared: the same from every process.',
    registers: this.registers,
  });

  readonly subscriptionLag = new Gauge({
    name: 'muster_subscription_lag_events',
    help: 'Events that a subscription has not passed. Shared: the same from every process.',
    labelNames: ['name'] as const,
    registers: this.registers,
  });

  readonly subscriptionFailing = new Gauge({
    name: 'muster_subscription_failing_buckets',
    help: 'Buckets in which a subscription fails at an event and tries again. Shared: the same from every process.',
    labelNames: ['name'] as const,
    registers: this.registers,
  });

  readonly deadLetters = new Gauge({
    name: 'muster_subscription_dead_letters',
    help: 'Events that a subscription gave up. Shared: the same from every process.',
    labelNames: ['name'] as const,
    registers: this.registers,
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
  }
}
