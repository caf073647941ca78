/** What an operator may read about a refusal; a caller only reads the error. Never holds a credential. */
export type RefusalReason =
  | 'unknown'
  | 'expired'
  | 'another-client'
  | 'redirect-uri-differs'
  | 'verifier-missing'
  | 'verifier-wrong'
  | 'verifier-unasked'
  | 'code-replayed'
  | 'refresh-token-reused'
  | 'revoked'
  | 'disabled'
  | 'scope';
