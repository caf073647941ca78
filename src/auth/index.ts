export { AuthModule } from './auth.module.js';
export { Anonymous, Caller, RequireScope } from './decorators.js';
export * from './messages.js';
export { isOAuthPath, sendUnreadableAddress } from './oauth/oauth-answer.js';
export { type Principal, reaches, type Scope, SCOPES } from './principal.js';
