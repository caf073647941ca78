import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Anonymous } from '../../auth/index.js';
import { Describe } from '../describe.js';
import { readLiveness, readReadiness } from '../operations.description.js';
import { OperationsDesk, sendAnswer } from '../operations-desk.js';

/** `live`: this process turns. `ready`: it can serve. Neither needs a credential. Not here when OPERATIONS_PORT is set. */
@Controller('health')
@Anonymous()
export class HealthController {
  constructor(private readonly desk: OperationsDesk) {}

  @Get('live')
  @Describe(readLiveness)
  live(@Res() reply: FastifyReply): void {
    sendAnswer(reply, this.desk.live());
  }

  @Get('ready')
  @Describe(readReadiness)
  async ready(@Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.desk.ready());
  }
}
