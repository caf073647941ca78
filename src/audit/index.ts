export { Audit, type AuditScope, type AuditWatcher } from './audit.js';
export { AuditModule } from './audit.module.js';
export type { AuditedBucket, AuditRule, Finding } from './audit-rule.js';
export { pages } from './snapshot.js';
