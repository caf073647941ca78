import { METHODS } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exemplarOf, workContext } from '../work-context.js';
import { Metrics } from './metrics.js';

const KNOWN_METHODS = new Set(METHODS);
/** What some proxies log for a caller that left before its answer. */
const CALLER_LEFT = 499;

/** Measures every request, by the route it met; all that met none are one. */
@Injectable()
export class HttpTraffic implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    // A worker and the command line have no HTTP side.
    const { httpAdapter } = this.host as Partial<HttpAdapterHost>;
    httpAdapter?.getInstance<FastifyInstance>().addHook('onRequest', (request, reply, done) => {
      this.measure(request, reply);
      done();
    });
  }

  private measure(request: FastifyRequest, { raw }: FastifyReply): void {
    const begun = performance.now();
    const exemplarLabels = exemplarOf(workContext.getStore()?.traceparent);
    this.metrics.activeRequests.inc();
    raw.once('close', () => {
      this.metrics.activeRequests.dec();
      const labels = {
        method: KNOWN_METHODS.has(request.method) ? request.method : 'other',
        route: request.routeOptions.url ?? 'unmatched',
        status: String(raw.writableFinished ? raw.statusCode : CALLER_LEFT),
      };
      const value = (performance.now() - begun) / 1000;
      this.metrics.requestSeconds.observe({ labels, value, exemplarLabels });
    });
  }
}
