export { AuthModule } from './auth.module.js';
export { Anonymous, ANONYMOUS, Caller, Identify, REQUIRED_SCOPE, RequireScope } from './decorators.js';
export * from './messages.js';
export { isOAuthPath, sendUnavailable, sendUnreadableAddress } from './oauth/oauth-answer.js';
export { requireScope } from './refusals.js';
export { type Principal, reaches, type Scope, SCOPES } from './principal.js';
export { SCOPE_WORDS } from './pages/scope-words.js';
export { makeId } from './secret.js';
export { SealedSecrets, SealLost } from './sealed-secrets.js';
