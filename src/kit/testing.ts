/** `muster/kit/testing`: what report types are tested with, by any test runner (docs/report-types.md). */
export { Conformance, type ConformanceTest, type Finding, NotConforming } from './conformance.js';
export {
  type FarmSettings,
  RefusedRecords,
  type ShownRow,
  type TestFarm,
  TestFarms,
  type TestReport,
} from './test-farms.js';
