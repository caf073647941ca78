import { ReportGenerator } from '../generator.js';
import { LivestockReconciliation } from './livestock-reconciliation.generator.js';

const replaced = { replacedBy: 'livestock-reconciliation.v3', deprecatedSince: Date.UTC(2025, 6, 1) / 1000 };

@ReportGenerator({ type: 'livestock-reconciliation.v1', ...replaced })
export class LivestockReconciliationV1 extends LivestockReconciliation {}

@ReportGenerator({ type: 'livestock-reconciliation.v2', ...replaced })
export class LivestockReconciliationV2 extends LivestockReconciliation {}
