import { csvEncoder } from './csv.js';
import type { Encoder, ReportHeading } from './encoder.js';
import { jsonEncoder, ndjsonEncoder } from './json.js';
import { xlsxEncoder } from './xlsx.js';

export { contentSchema, lineSchema } from './json-schema.js';
export { type Encoder, encoded, type ReportHeading } from './encoder.js';
export { Utf8Buffer } from './utf8-buffer.js';

/** Every format a report is delivered in. */
export const ENCODERS: Readonly<Record<string, (heading: ReportHeading) => Encoder>> = {
  csv: csvEncoder,
  json: jsonEncoder,
  ndjson: ndjsonEncoder,
  xlsx: (heading) => xlsxEncoder(heading),
};

export const FORMATS: readonly string[] = Object.keys(ENCODERS);
