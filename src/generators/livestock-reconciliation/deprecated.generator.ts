import { ReportGenerator } from '../generator.js';
import { LivestockReconciliation } from './livestock-reconciliation.generator.js';

const replaced = { replacedBy: 'livestock-reconciliation.v3', deprecatedSince: '2025-07-01' };

@ReportGenerator({ type: 'livestock-reconciliation.v1', ...replaced })
export class LivestockReconciliationV1 extends LivestockReconciliation {}

@ReportGenerator({ type: 'livestock-reconciliation.v2', ...replaced })
export class LivestockReconciliationV2 extends LivestockReconciliation {}
