interface ProblemPage {
  /** Of the answer; `bad-request` stands for others of the 400s too. */
  readonly status: number;
  readonly title: string;
  /** What a caller can do about it: the text behind the `type` of a problem document. */
  readonly advice: string;
}

/** Every kind of problem there is, by the last part of its `type`. */
export const PROBLEM_PAGES = {
  'invalid-request': {
    status: 400,
    title: 'The request is not valid',
    advice:
      'A field or parameter is missing, of the wrong type or out of range. `errors` names every one of them with a JSON pointer. Correct them and send the request again.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    advice: 'The body is not JSON in UTF-8. Send one JSON value.',
  },
  'malformed-csv': {
    status: 400,
    title: 'The header of the CSV cannot be read',
    advice:
      'The first line names the columns, all of them known ones and `record` among them; the detail names the one that is not. Correct the header and send the file again: nothing of it was imported.',
  },
  'bad-request': {
    status: 400,
    title: 'The request cannot be read',
    advice: 'The request breaks the rules of HTTP. Check its method, headers and body.',
  },
  'invalid-idempotency-key': {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    advice: 'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  },
  'doubled-credential': {
    status: 400,
    title: 'A credential was sent twice',
    advice: 'Send one Authorization header and one x-api-key header at most.',
  },
  'no-credential': {
    status: 401,
    title: 'A credential is needed',
    advice: 'The request carries no credential. Send a Bearer access token or an x-api-key.',
  },
  'invalid-credential': {
    status: 401,
    title: 'The credential is not valid',
    advice:
      'The access token or API key is unknown, revoked or expired. Refresh an expired token and try again.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The credential does not allow this',
    advice:
      'The credential lacks the scope that the operation needs. Ask for a grant or key with that scope.',
  },
  'farm-not-accessible': {
    status: 403,
    title: 'The farm is not accessible',
    advice:
      'There is no such farm, or the credential does not reach it; the two are not told apart. Check the farm id, or ask for access to the farm.',
  },
  'not-found': { status: 404, title: 'Not found', advice: 'There is nothing at this address.' },
  'report-not-found': {
    status: 404,
    title: 'No such report',
    advice: 'There is no report with this id on a farm that the credential reaches.',
  },
  'row-not-found': {
    status: 404,
    title: 'No such row',
    advice:
      'Rows are counted from 1, totals among them and the header not, in the order of the CSV and NDJSON content; JSON says each number as `row`.',
  },
  'row-not-explained': {
    status: 404,
    title: 'The row is not explained',
    advice: 'Reports of this type do not say which records are behind their rows.',
  },
  'explanation-too-long': {
    status: 422,
    title: 'Explaining the row takes too long',
    advice:
      'Very many records are behind the row and few of them concern the column. Ask about a detail row, or about the row without a column.',
  },
  'report-type-not-found': {
    status: 404,
    title: 'No such report type',
    advice: 'There is no report type with this identifier. GET /v2/report-types lists them.',
  },
  'type-not-deprecated': {
    status: 409,
    title: 'The report type is not deprecated',
    advice:
      'Only a deprecated report type is compared, with the type that replaces it. GET /v2/report-types says which are.',
  },
  'farm-not-found': {
    status: 404,
    title: 'There is no such farm',
    advice: 'There is no farm with this id that the credential reaches. PUT /v2/farms/{farmId} creates it.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed',
    advice: 'The resource does not answer this method; Allow lists those that it does.',
  },
  'not-acceptable': {
    status: 406,
    title: 'No acceptable format',
    advice: 'The content exists in none of the formats of the Accept header.',
  },
  'farm-changed': {
    status: 409,
    title: 'The farm changed',
    advice:
      "The farm's time zone changed while its records were read by the old one. Sending the same records again is safe.",
  },
  'report-failed': {
    status: 409,
    title: 'The report failed',
    advice: 'The report could not be made; `detail` says why. Ask for a new one after mending the cause.',
  },
  'report-cancelled': {
    status: 409,
    title: 'The report was cancelled',
    advice: 'The report was cancelled before it was made. Ask for a new one.',
  },
  'report-ended': {
    status: 409,
    title: 'The report has ended',
    advice:
      'The report has completed, failed, expired or was cancelled already; it can no longer be cancelled.',
  },
  'webhook-endpoint-not-found': {
    status: 404,
    title: 'No such webhook endpoint',
    advice:
      'The credential has no webhook endpoint with this id. Endpoints belong to the credential that registered them; GET /v2/webhook-endpoints lists them.',
  },
  'webhook-delivery-not-found': {
    status: 404,
    title: 'No such delivery',
    advice:
      'The delivery log of the webhook endpoint has no message with this id, or no longer: entries are kept for a month unless the operator says otherwise.',
  },
  'report-schedule-not-found': {
    status: 404,
    title: 'No such schedule',
    advice: 'There is no schedule with this id on a farm that the credential reaches.',
  },
  'too-many-report-schedules': {
    status: 409,
    title: 'Too many schedules',
    advice: 'A farm has up to 100 schedules. Delete one that is not needed, or change it.',
  },
  'too-many-webhook-endpoints': {
    status: 409,
    title: 'Too many webhook endpoints',
    advice: 'A credential has up to 20 webhook endpoints. Delete one that is not needed, or change its url.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'The request is being answered',
    advice:
      'A request with the same Idempotency-Key is being answered at this moment. Wait and send it again.',
  },
  'report-expired': {
    status: 410,
    title: 'The content has expired',
    advice:
      'The content was kept for its retention period and is gone; the record and its history remain. Ask for a new report.',
  },
  'precondition-failed': {
    status: 412,
    title: 'It has changed',
    advice:
      'If-Match names none of the ETag that it has now, so nothing was done. Read it again, and send the request with the ETag of now or without If-Match.',
  },
  'body-too-slow': {
    status: 408,
    title: 'The body did not arrive',
    advice:
      'The body stopped arriving for half a minute. Send the request again, over a steadier connection.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    advice:
      'The body is larger than the resource accepts: 64 KiB for a report request. Large imports are sent as application/x-ndjson.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type is not supported',
    advice: 'The resource does not read this media type, or not in this encoding.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The range is not satisfiable',
    advice: 'The range lies beyond the end of the content; Content-Range says how long it is.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key was used before',
    advice:
      'The Idempotency-Key came with another body during the last 24 hours. A new request needs a new key.',
  },
  'unknown-event': {
    status: 400,
    title: 'The last event is not known',
    advice:
      'Last-Event-ID is not the id of an event of this stream. Send the id of the last event you had from it, or none to begin with what happens from now on.',
  },
  'too-many-streams': {
    status: 429,
    title: 'Too many open streams',
    advice:
      'The credential, or with 503 the process, has as many streams of events open as it may. Close one, or follow all reports on GET /v2/events.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    advice: 'The credential has sent too many requests. Wait for the time in Retry-After.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong',
    advice:
      'The service failed. The failure is in its log under the X-Request-Id of the answer; tell it to the operator.',
  },
  unavailable: {
    status: 503,
    title: 'The service is unavailable',
    advice:
      'The service cannot answer just now; nothing was done. Wait for the time in Retry-After and send the request again.',
  },
  'nothing-reusable': {
    status: 504,
    title: 'Nothing to reuse',
    advice: 'only-if-cached was sent and no report of the same request may be reused. Ask without it.',
  },
} as const satisfies Readonly<Record<string, ProblemPage>>;

/** The last part of a problem's `type`. */
export type ProblemSlug = keyof typeof PROBLEM_PAGES;
