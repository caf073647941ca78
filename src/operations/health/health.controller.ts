import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Anonymous } from '../../auth/index.js';
import { OperationsDesk, sendAnswer } from '../operations-desk.js';

/** `live`: this process turns. `ready`: it can serve. Neither needs a credential. Not here when OPERATIONS_PORT is set. */
@Controller('health')
@Anonymous()
export class HealthController {
  constructor(private readonly desk: OperationsDesk) {}

  @Get('live')
  live(@Res() reply: FastifyReply): void {
    sendAnswer(reply, this.desk.live());
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.desk.ready());
  }
}
