import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOAuthPath, sendUnavailable } from '../auth/index.js';
import { Config } from '../config.js';
import { Database } from '../database/index.js';
import { Draining } from './health/draining.js';
import { Metrics } from './metrics/metrics.js';
import { UnavailableProblem } from './problem.js';

const REFUSALS = {
  draining: new UnavailableProblem('This process stops. Nothing was done; please send the request again.', 1),
  overloaded: new UnavailableProblem(
    'The service has more to do than it can. Nothing was done; please wait.',
    2,
  ),
};

/** What operators ask is answered whatever the process is in. */
const OPERATIONS = /^\/(health|metrics)(\/|$)/;

const EVENT_STREAM = 'text/event-stream';
/** Those who were sent away come back over this time, not all at once. */
const RETURN_MS = { first: 1_000, last: 5_000 } as const;

/**
 * Lets requests in, or answers 503 before anything is done for them: while the process stops, and while the work that waits
 * for a database connection is more than DATABASE_QUEUE_LIMIT. What waits longer than it may is given up by the pool.
 */
@Injectable()
export class Admission implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: Config,
    private readonly database: Database,
    private readonly draining: Draining,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    // A worker and the command line have no HTTP side.
    const { httpAdapter } = this.host as Partial<HttpAdapterHost>;
    const fastify = httpAdapter?.getInstance<FastifyInstance>();
    fastify?.addHook('onSend', async (_request, reply) => {
      // A connection that stayed open would hold the process back until its client lets go of it.
      if (this.draining.begun) void reply.header('Connection', 'close');
    });
    fastify?.addHook('onRequest', (request, reply, done) => {
      const reason = this.refuse(request);
      if (reason === undefined) {
        done();
        return;
      }
      this.metrics.refusedRequests.inc({ reason });
      void reply.header('Connection', 'close');
      if (request.headers.accept?.includes(EVENT_STREAM)) sendComeBack(reply);
      else if (isOAuthPath(request.url)) sendUnavailable(reply, this.config.publicUrl);
      else done(REFUSALS[reason]);
    });
  }

  private refuse({ routeOptions }: FastifyRequest): keyof typeof REFUSALS | undefined {
    if (OPERATIONS.test(routeOptions.url ?? '')) return undefined;
    if (this.draining.refusing) return 'draining';
    return this.database.pool.waitingCount >= this.config.DATABASE_QUEUE_LIMIT ? 'overloaded' : undefined;
  }
}

/** Clients of event streams give up for good at a 503: they get a stream that ends at once and says when to come back. */
function sendComeBack(reply: FastifyReply): void {
  const milliseconds = Math.round(RETURN_MS.first + Math.random() * (RETURN_MS.last - RETURN_MS.first));
  void reply
    .headers({ 'Content-Type': `${EVENT_STREAM}; charset=utf-8`, 'Cache-Control': 'no-store' })
    .send(`retry: ${milliseconds}\n\n`);
}
