import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { PassportModule } from '@nestjs/passport';
import { AccessTokens } from './access-tokens.js';
import { ApiKeys, CreateApiKeyHandler, ListApiKeysHandler, RevokeApiKeyHandler } from './api-keys.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { AccessTokenCheck, BearerGuard, BearerStrategy } from './bearer.strategy.js';
import { CredentialCache } from './credential-cache.js';
import { Revocations } from './revocations.js';

/** Who may call: API keys, the authorization server and its people, and the guard before every route. */
@Module({
  imports: [CqrsModule, PassportModule],
  providers: [
    ApiKeys,
    CreateApiKeyHandler,
    RevokeApiKeyHandler,
    ListApiKeysHandler,
    Revocations,
    CredentialCache,
    { provide: AccessTokenCheck, useClass: AccessTokens },
    BearerStrategy,
    BearerGuard,
    { provide: APP_GUARD, useClass: AuthenticationGuard },
  ],
})
export class AuthModule {}
