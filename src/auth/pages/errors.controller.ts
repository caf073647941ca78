import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Anonymous } from '../decorators.js';
import { errorsPage } from './errors.page.js';
import { sendPage } from './page.js';

/** Explains the error codes of the authorization server. */
@Controller('oauth2/errors')
@Anonymous()
export class ErrorsController {
  @Get()
  show(@Res() reply: FastifyReply): void {
    void sendPage(reply, 200, errorsPage());
  }
}
