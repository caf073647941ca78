import { EXAMPLE_URL } from '../operations/describe.js';

/** A chapter of the guide: paragraphs in CommonMark, and lines to paste after a `$`. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly (string | { readonly shell: string })[];
}

const REPORT = `${EXAMPLE_URL}/v2/report`;

/** What an integrator reads first. */
export const CHAPTERS: readonly Chapter[] = [
  {
    id: 'first-report',
    title: 'A first report',
    parts: [
      'The operator gives you an API key: `muster api-key create`. Ask for a report on a farm and a period, in Unix milliseconds; the days that they fall on at the farm are both included:',
      {
        shell: `curl -i ${REPORT} -H "x-api-key: $KEY" -H 'content-type: application/json' -d '{
  "type": "livestock-reconciliation.v3", "tenantType": "farm", "tenantId": "farm-1",
  "reportingPeriodStart": 1719756000000, "reportingPeriodEnd": 1751205600000 }'`,
      },
      'The answer is the record of the report, and `links.download`. Download it; while the answer is 202 the report is being made, and `Retry-After` says when to ask again:',
      {
        shell: `curl -i ${REPORT}/$ID/download -H "x-api-key: $KEY" -H 'accept: text/csv' -H 'prefer: wait=30'`,
      },
      'The same request within an hour gives the same report. `Cache-Control: no-cache` makes a new one, `max-age=86400` accepts one of up to a day. An `Idempotency-Key` makes retries safe.',
    ],
  },
  {
    id: 'token',
    title: 'Acting for a person',
    parts: [
      'An application that acts for a farmer or adviser is a client of the authorization server. Send the person’s browser to',
      {
        shell: `${EXAMPLE_URL}/oauth2/authorize?response_type=code&client_id=$CLIENT&redirect_uri=https://app.example/callback&scope=read:reports%20write:reports&state=xyz`,
      },
      'where they sign in, choose farms and allow it. The browser comes back with a `code` that is good for 60 seconds and one use; exchange it, and send the access token with every request:',
      {
        shell: `curl ${EXAMPLE_URL}/oauth2/token -u $CLIENT:$SECRET -d grant_type=authorization_code \\
  -d code=$CODE -d redirect_uri=https://app.example/callback
curl ${REPORT} -H "authorization: Bearer $ACCESS_TOKEN"`,
      },
      'An access token lives for an hour: at 401 exchange the refresh token, which is used once and answers with its successor:',
      {
        shell: `curl ${EXAMPLE_URL}/oauth2/token -u $CLIENT:$SECRET -d grant_type=refresh_token -d refresh_token=$REFRESH_TOKEN`,
      },
      `Libraries find all of this at [/.well-known/oauth-authorization-server](${EXAMPLE_URL}/.well-known/oauth-authorization-server). What its errors mean: [OAuth errors](${EXAMPLE_URL}/oauth2/errors).`,
    ],
  },
  {
    id: 'waiting',
    title: 'Four ways of waiting',
    parts: [
      '**Ask again** after the seconds of `Retry-After`, on the record or on the download.',
      '**Let the service wait**: `Prefer: wait=30` on create, record and download holds the answer until the report has ended, or so many seconds at most.',
      '**Follow events**: `Accept: text/event-stream` on the events of a report, or of all reports in reach; `Last-Event-ID` resumes where a connection broke.',
      { shell: `curl -N ${REPORT}/$ID/events -H "x-api-key: $KEY" -H 'accept: text/event-stream'` },
      `**Be told**: register an https address as a webhook endpoint. Messages are signed by the Standard Webhooks specification. Events and messages are described in [asyncapi.json](${EXAMPLE_URL}/asyncapi.json).`,
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    parts: [
      'Errors are problem documents (RFC 9457): `type` is a page that says what to do, `detail` says in plain words what happened, and `errors` names every bad field at once. `X-Request-Id` names the request in the log of the service. After 429 and 503 wait for the seconds in `Retry-After`; nothing was done.',
    ],
  },
  {
    id: 'deprecation',
    title: 'What is deprecated',
    parts: [
      'Answers about a deprecated report type carry `Deprecation` (RFC 9745), `Sunset` once an end is planned (RFC 8594), and a `Link` to the successor. Ask for the successor: it makes the same.',
    ],
  },
];
