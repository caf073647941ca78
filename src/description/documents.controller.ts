import { Controller, Get, Header, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Anonymous } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import type { AsyncApi } from './asyncapi.js';
import { Documents } from './documents.js';
import { findGuide, readAsyncApi, readGuide, readOpenApi } from './documents.description.js';
import { sendGuide } from './guide.js';
import type { OpenApi } from './openapi.js';

/** The descriptions that machines read. */
@Controller()
@Anonymous()
export class DocumentsController {
  constructor(
    private readonly documents: Documents,
    private readonly config: Config,
  ) {}

  /** Whoever opens the address of the service in a browser wants to read about it. */
  @Get()
  @Describe(findGuide)
  root(@Res() reply: FastifyReply): void {
    void reply.redirect(`${this.config.publicUrl}/docs`, 302);
  }

  @Get('openapi.json')
  @Header('Cache-Control', 'public, max-age=300')
  @Describe(readOpenApi)
  async openApi(): Promise<OpenApi> {
    return (await this.documents.all()).openApi;
  }

  @Get('asyncapi.json')
  @Header('Cache-Control', 'public, max-age=300')
  @Describe(readAsyncApi)
  async asyncApi(): Promise<AsyncApi> {
    return (await this.documents.all()).asyncApi;
  }

  @Get('docs')
  @Describe(readGuide)
  async guide(@Res() reply: FastifyReply): Promise<void> {
    const { openApi } = await this.documents.all();
    sendGuide(reply, openApi);
  }
}
