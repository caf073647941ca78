/** What a caller can do about each kind of problem; the text behind the `type` of a problem document. */
export const PROBLEM_PAGES: Readonly<Record<string, string>> = {
  'invalid-request':
    'A field or parameter is missing, of the wrong type or out of range. `errors` names every one of them with a JSON pointer. Correct them and send the request again.',
  'malformed-json': 'The body is not JSON in UTF-8. Send one JSON value.',
  'bad-request': 'The request breaks the rules of HTTP. Check its method, headers and body.',
  'invalid-idempotency-key': 'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  'no-credential': 'The request carries no credential. Send a Bearer access token or an x-api-key.',
  'invalid-credential':
    'The access token or API key is unknown, revoked or expired. Refresh an expired token and try again.',
  'doubled-credential':
    'A credential was sent twice. Send one Authorization header and one x-api-key at most.',
  'insufficient-scope':
    'The credential lacks the scope that the operation needs. Ask for a grant or key with that scope.',
  'farm-not-accessible':
    'There is no such farm, or the credential does not reach it; the two are not told apart. Check the farm id, or ask for access to the farm.',
  'not-found': 'There is nothing at this address.',
  'report-not-found': 'There is no report with this id on a farm that the credential reaches.',
  'report-type-not-found': 'There is no report type with this identifier. GET /v2/report-types lists them.',
  'farm-changed':
    "The farm's time zone changed while its records were read by the old one. Sending the same records again is safe.",
  'farm-not-found': 'There is no farm with this id that the credential reaches.',
  'method-not-allowed': 'The resource does not answer this method; Allow lists those that it does.',
  'not-acceptable': 'The content exists in none of the formats of the Accept header.',
  'report-failed':
    'The report could not be made; `detail` says why. Ask for a new one after mending the cause.',
  'report-cancelled': 'The report was cancelled before it was made. Ask for a new one.',
  'report-ended':
    'The report has completed, failed, expired or was cancelled already; it can no longer be cancelled.',
  'report-expired':
    'The content was kept for its retention period and is gone; the record and its history remain. Ask for a new report.',
  'idempotency-key-in-use':
    'A request with the same Idempotency-Key is being answered at this moment. Wait and send it again.',
  'idempotency-key-reused':
    'The Idempotency-Key came with another body during the last 24 hours. A new request needs a new key.',
  'body-too-large':
    'The body is larger than the resource accepts: 64 KiB for a report request. Large imports are sent as application/x-ndjson.',
  'unsupported-media-type': 'The resource does not read this media type, or not in this encoding.',
  'range-not-satisfiable': 'The range lies beyond the end of the content; Content-Range says how long it is.',
  'nothing-reusable':
    'only-if-cached was sent and no report of the same request may be reused. Ask without it.',
  'too-many-requests': 'The credential has sent too many requests. Wait for the time in Retry-After.',
  unavailable:
    'The service cannot answer just now; nothing was done. Wait for the time in Retry-After and send the request again.',
  'internal-error':
    'The service failed. The failure is in its log under the X-Request-Id of the answer; tell it to the operator.',
};
