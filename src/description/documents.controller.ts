import { Controller, Get, Header } from '@nestjs/common';
import { Anonymous } from '../auth/index.js';
import { Describe } from '../operations/describe.js';
import { Documents } from './documents.js';
import { readOpenApi } from './documents.description.js';
import type { OpenApi } from './openapi.js';

/** The descriptions that machines read. */
@Controller()
@Anonymous()
export class DocumentsController {
  constructor(private readonly documents: Documents) {}

  @Get('openapi.json')
  @Header('Cache-Control', 'public, max-age=300')
  @Describe(readOpenApi)
  openApi(): Promise<OpenApi> {
    return this.documents.openApi();
  }
}
