import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Anonymous } from '../auth/index.js';
import { Database } from '../database/database.js';

/** `live`: this process turns. `ready`: it can serve. Neither needs a credential. */
@Controller('health')
@Anonymous()
export class HealthController {
  constructor(private readonly database: Database) {}

  @Get('live')
  live(): { status: 'up' } {
    return { status: 'up' };
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const begun = performance.now();
    const up = await this.database.query('SELECT 1').then(
      () => true,
      () => false,
    );
    const database = { status: up ? 'up' : 'down', milliseconds: Math.round(performance.now() - begun) };
    await reply.status(up ? 200 : 503).send({ status: database.status, checks: { database } });
  }
}
