import { Controller, Get, Header } from '@nestjs/common';
import { Config } from '../../config.js';
import { Anonymous } from '../decorators.js';
import { SCOPES } from '../principal.js';
import { ERRORS_PATH } from './oauth-answer.js';

const CONFIDENTIAL = ['client_secret_basic', 'client_secret_post'];

/** What a client can find out about the server by itself (RFC 8414). */
@Controller('.well-known')
@Anonymous()
export class MetadataController {
  constructor(private readonly config: Config) {}

  @Get('oauth-authorization-server')
  @Header('Cache-Control', 'public, max-age=300')
  describe(): object {
    const issuer = this.config.publicUrl;
    return {
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      introspection_endpoint: `${issuer}/oauth2/introspect`,
      service_documentation: `${issuer}${ERRORS_PATH}`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: [...CONFIDENTIAL, 'none'],
      revocation_endpoint_auth_methods_supported: [...CONFIDENTIAL, 'none'],
      introspection_endpoint_auth_methods_supported: CONFIDENTIAL,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }
}
