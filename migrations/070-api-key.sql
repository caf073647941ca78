-- Keys that the operator issues to systems. Undistributed: a key may reach farms of any bucket.
-- Of a key only its SHA-256 is kept: 256 random bits need no slow hash.
CREATE TABLE api_key (
  id         text        PRIMARY KEY,
  name       text        NOT NULL,
  hash       bytea       NOT NULL UNIQUE,
  scopes     text[]      NOT NULL,
  farms      text[],     -- NULL: every farm
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);

GRANT SELECT, INSERT, UPDATE ON api_key TO muster_service;
