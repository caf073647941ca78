import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Describe } from '../../operations/describe.js';
import { Anonymous } from '../decorators.js';
import { errorsPage } from './errors.page.js';
import { readOAuthErrors } from '../oauth/oauth.description.js';
import { show } from './page.js';

/** Explains the error codes of the authorization server. */
@Controller('oauth2/errors')
@Anonymous()
export class ErrorsController {
  @Get()
  @Describe(readOAuthErrors)
  show(@Res() reply: FastifyReply): void {
    show(reply, { page: errorsPage() });
  }
}
