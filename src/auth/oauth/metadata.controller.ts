import { Controller, Get, Header } from '@nestjs/common';
import { Config } from '../../config.js';
import { Describe } from '../../operations/describe.js';
import { Anonymous } from '../decorators.js';
import { readServerMetadata } from './oauth.description.js';
import { metadataOf, type ServerMetadata } from './server-metadata.js';

/** What a client can find out about the server by itself (RFC 8414). */
@Controller('.well-known')
@Anonymous()
export class MetadataController {
  constructor(private readonly config: Config) {}

  @Get('oauth-authorization-server')
  @Header('Cache-Control', 'public, max-age=300')
  @Describe(readServerMetadata)
  describe(): ServerMetadata {
    return metadataOf(this.config.publicUrl);
  }
}
