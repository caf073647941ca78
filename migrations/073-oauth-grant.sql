-- What people have granted to applications, and the codes and tokens that stand for it: SHA-256 only, one table a kind.
-- A family is one authorization with all its tokens; its row is always locked first, and revoking it is one column.
CREATE TABLE oauth_family (
  id         text        PRIMARY KEY,
  client_id  text        NOT NULL REFERENCES oauth_client,
  person_id  text        NOT NULL REFERENCES person,
  scopes     text[]      NOT NULL,
  farms      text[]      NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,  -- absolute end: no refresh goes beyond
  revoked_at timestamptz
);

CREATE INDEX oauth_family_person ON oauth_family (person_id, client_id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_family_age ON oauth_family (expires_at);

-- Stays after its use until it expires, so that a replay is seen.
CREATE TABLE oauth_code (
  hash           bytea       PRIMARY KEY,
  family_id      text        NOT NULL,  -- of the family that its redemption makes
  client_id      text        NOT NULL REFERENCES oauth_client,
  person_id      text        NOT NULL REFERENCES person,
  redirect_uri   text        NOT NULL,
  redirect_given boolean     NOT NULL,  -- named at authorize, so that it must be named again
  scopes         text[]      NOT NULL,
  farms          text[]      NOT NULL,
  challenge      text,                  -- PKCE, S256
  expires_at     timestamptz NOT NULL,
  consumed_at    timestamptz
);

CREATE INDEX oauth_code_age ON oauth_code (expires_at);

CREATE TABLE oauth_refresh (
  hash         bytea       PRIMARY KEY,
  id           uuid        NOT NULL,  -- salt of the grace answer's key
  family_id    text        NOT NULL REFERENCES oauth_family,
  expires_at   timestamptz NOT NULL,
  spent_at     timestamptz,
  successor    bytea,                 -- hash of the token it was exchanged for
  grace_answer bytea                  -- that exchange's answer, readable with the spent token only; gone when the grace ends
) WITH (fillfactor = 80);

CREATE INDEX oauth_refresh_family ON oauth_refresh (family_id);
CREATE INDEX oauth_refresh_grace ON oauth_refresh (spent_at) WHERE grace_answer IS NOT NULL;

CREATE TABLE oauth_access (
  hash       bytea       PRIMARY KEY,
  family_id  text        NOT NULL REFERENCES oauth_family,
  scopes     text[]      NOT NULL,
  issued_at  timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX oauth_access_age ON oauth_access (expires_at);
CREATE INDEX oauth_access_family ON oauth_access (family_id);

-- What a person allowed a confidential client before, so as not to ask again.
CREATE TABLE consent (
  person_id  text        NOT NULL REFERENCES person,
  client_id  text        NOT NULL REFERENCES oauth_client,
  scopes     text[]      NOT NULL,
  farms      text[]      NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, client_id)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON oauth_family, oauth_code, oauth_refresh, oauth_access, consent TO muster_service;
