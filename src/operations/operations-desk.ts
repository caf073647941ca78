import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadinessCheck } from './health/readiness.js';
import { expose } from './metrics/exposition.js';
import { Gauges } from './metrics/gauges.js';
import { Metrics } from './metrics/metrics.js';

/** An answer to an operator's question, for whichever port it came through. */
export interface OperationsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Answers the three questions of whoever operates the service. */
@Injectable()
export class OperationsDesk {
  constructor(
    private readonly check: ReadinessCheck,
    private readonly gauges: Gauges,
    private readonly metrics: Metrics,
  ) {}

  /** This process turns; it depends on nothing else. */
  live(): OperationsAnswer {
    return json(200, { status: 'up' });
  }

  /** 200 when this process can serve, else 503; which check failed stands in the body. */
  async ready(): Promise<OperationsAnswer> {
    const readiness = await this.check.readiness();
    return json(readiness.status === 'up' ? 200 : 503, readiness);
  }

  async scrape(accept: string | undefined): Promise<OperationsAnswer> {
    await this.gauges.read();
    const { contentType, text } = await expose(this.metrics.registry, accept);
    return { status: 200, contentType, body: text };
  }
}

/** Health and metrics are of this moment. */
export function sendAnswer(reply: FastifyReply, { status, contentType, body }: OperationsAnswer): void {
  void reply.status(status).headers({ 'Cache-Control': 'no-store' }).type(contentType).send(body);
}

function json(status: number, body: unknown): OperationsAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
