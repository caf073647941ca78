import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
      if (isOAuthPath(request.url)) sendUnavailable(reply, this.config.publicUrl);
      else done(REFUSALS[reason]);
    });
  }

  private refuse({ headers, routeOptions }: FastifyRequest): keyof typeof REFUSALS | undefined {
    if (OPERATIONS.test(routeOptions.url ?? '')) return undefined;
    // Clients of event streams give up for good at a 503: they are answered with a stream that ends, and come back.
    if (this.draining.refusing && !headers.accept?.includes('text/event-stream')) return 'draining';
    return this.database.pool.waitingCount >= this.config.DATABASE_QUEUE_LIMIT ? 'overloaded' : undefined;
  }
}
