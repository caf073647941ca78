export { LimitsModule } from './limits.module.js';
export { type Allowance, type Budget, rateLimitFields, RateLimits } from './rate-limits.js';
