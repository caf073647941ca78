import { Controller, Get, Headers, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Anonymous } from '../../auth/index.js';
import { Config } from '../../config.js';
import { Describe } from '../describe.js';
import { readMetrics } from '../operations.description.js';
import { OperationsDesk, sendAnswer } from '../operations-desk.js';
import { Problem } from '../problem.js';

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/**
 * Metrics on the public port, where OPERATIONS_PORT is not set: for whoever tries the service out on this machine. Everyone
 * else, and everyone in production, finds nothing here.
 */
@Controller('metrics')
@Anonymous()
export class MetricsController {
  constructor(
    private readonly desk: OperationsDesk,
    private readonly config: Config,
  ) {}

  @Get()
  @Describe(readMetrics)
  async scrape(
    @Req() request: FastifyRequest,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (this.config.NODE_ENV === 'production' || !isLocal(request))
      throw new Problem('not-found', 'There is nothing at this address.');
    sendAnswer(reply, await this.desk.scrape(accept));
  }
}

/** A proxy on this machine speaks for callers elsewhere. */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  const relayed = ['forwarded', 'x-forwarded-for', 'via'].some((name) => headers[name] !== undefined);
  return !relayed && LOOPBACK.test(raw.socket.remoteAddress ?? '');
}
