import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { PassportModule } from '@nestjs/passport';
import { AccessEraser } from './access-eraser.js';
import { AccessTokens } from './access-tokens.js';
import { ApiKeys, CreateApiKeyHandler, ListApiKeysHandler, RevokeApiKeyHandler } from './api-keys.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { AccessTokenCheck, BearerGuard, BearerStrategy } from './bearer.strategy.js';
import { CredentialCache } from './credential-cache.js';
import { Failures } from './failures.js';
import { FindPrincipalHandler, FindReachingHandler } from './find-principal.handler.js';
import { AccessRevocation } from './oauth/access-revocation.js';
import { Authorizations } from './oauth/authorizations.js';
import { AuthorizeController } from './oauth/authorize.controller.js';
import { ClientAuthentication, ClientGuard, ClientStrategy } from './oauth/client-authentication.js';
import {
  DisableClientHandler,
  RegisterClientHandler,
  RotateClientSecretHandler,
} from './oauth/client.handlers.js';
import { Clients } from './oauth/clients.js';
import { CodeExchange } from './oauth/code-exchange.js';
import { Consenting } from './oauth/consenting.js';
import { Introspection } from './oauth/introspection.js';
import { MetadataController } from './oauth/metadata.controller.js';
import { OAuthGate } from './oauth/oauth-gate.js';
import { RefreshExchange } from './oauth/refresh-exchange.js';
import { TokenStatusController } from './oauth/token-status.controller.js';
import { TokenController } from './oauth/token.controller.js';
import { ErrorsController } from './pages/errors.controller.js';
import { AccountController } from './people/account.controller.js';
import { ConnectedApplications } from './people/connected-applications.js';
import { FarmNames } from './people/farm-names.js';
import { People } from './people/people.js';
import { CreatePersonHandler, DisablePersonHandler } from './people/person.handlers.js';
import { Sessions } from './people/sessions.js';
import { SignInDesk } from './people/sign-in.js';
import { Peppers } from './peppers.js';
import { LimitsModule } from '../limits/index.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { Revocations } from './revocations.js';
import { SealedSecrets } from './sealed-secrets.js';
import { SecurityLog } from './security-events.js';
import { Sweep } from './sweep.js';

const GUARDING_THE_API = [
  ApiKeys,
  Revocations,
  CredentialCache,
  { provide: AccessTokenCheck, useClass: AccessTokens },
  BearerStrategy,
  BearerGuard,
  { provide: APP_GUARD, useClass: AuthenticationGuard },
  { provide: APP_GUARD, useClass: RateLimitGuard },
];

const AUTHORIZATION_SERVER = [
  OAuthGate,
  Failures,
  Peppers,
  SealedSecrets,
  Clients,
  ClientAuthentication,
  ClientStrategy,
  ClientGuard,
  CodeExchange,
  RefreshExchange,
  AccessRevocation,
  Introspection,
  Authorizations,
  Consenting,
  SecurityLog,
  Sweep,
];

const PEOPLE = [People, Sessions, SignInDesk, ConnectedApplications, FarmNames];

const MESSAGES = [
  FindPrincipalHandler,
  FindReachingHandler,
  CreateApiKeyHandler,
  RevokeApiKeyHandler,
  ListApiKeysHandler,
  CreatePersonHandler,
  DisablePersonHandler,
  RegisterClientHandler,
  RotateClientSecretHandler,
  DisableClientHandler,
];

/** Who may call: API keys, the authorization server and its people, and the guard before every route. */
@Module({
  imports: [ErasureModule, CqrsModule, PassportModule, LimitsModule],
  controllers: [
    TokenController,
    TokenStatusController,
    AuthorizeController,
    ErrorsController,
    MetadataController,
    AccountController,
  ],
  providers: [AccessEraser, ...GUARDING_THE_API, ...AUTHORIZATION_SERVER, ...PEOPLE, ...MESSAGES],
  exports: [SealedSecrets],
})
export class AuthModule {}
