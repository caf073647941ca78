import { type Principal, SCOPES } from '../auth/principal.js';

/** Whoever may run commands on the service's own database may do everything with it. */
export const OPERATOR: Principal = { id: 'command-line', scopes: new Set(SCOPES), farms: 'all' };
