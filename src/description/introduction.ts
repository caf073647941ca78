import { EXAMPLE_URL } from '../operations/describe.js';

/** What the description says first. */
export const INTRODUCTION = {
  title: 'Muster',
  version: '2',
  summary: 'Livestock reports about farms.',
  description: `Ask for a report on a farm and a period, wait for it, download it as CSV, JSON, NDJSON or XLSX.

Callers authenticate with an access token of the authorization server or with an \`x-api-key\`; when both are sent both must be valid, and what is allowed is their intersection. Errors are problem documents (RFC 9457) whose \`type\` is a page that says what to do; under \`/oauth2/\` they are OAuth errors (RFC 6749). Members are added over time: ignore those that you do not know.

[The guide](${EXAMPLE_URL}/docs) begins with a first report. Events and webhooks are described at [asyncapi.json](${EXAMPLE_URL}/asyncapi.json).`,
  contact: { name: 'The operator of this service', url: `${EXAMPLE_URL}/docs` },
  license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
};
