-- Applications that act for people. Two secret slots, so that a new secret can overlap with the old one.
-- A secret is 256 random bits made here; its HMAC-SHA-256 is kept, under the configured pepper that secret_pepper names.
CREATE TABLE oauth_client (
  id              text        PRIMARY KEY,
  name            text        NOT NULL,
  redirect_uris   text[]      NOT NULL,
  scopes          text[]      NOT NULL,
  grants          text[]      NOT NULL,
  public          boolean     NOT NULL,
  require_pkce    boolean     NOT NULL,
  secret_hmac     bytea,
  secret_pepper   text,
  previous_hmac   bytea,
  previous_pepper text,
  previous_until  timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  disabled_at     timestamptz,
  CHECK (public = (secret_hmac IS NULL))
);

GRANT SELECT, INSERT, UPDATE ON oauth_client TO muster_service;

-- Peppers for development, where none is configured: every process over this database finds the same one.
-- Production refuses to start without configured peppers, so that no database dump holds pepper and HMAC together.
CREATE TABLE development_pepper (
  id     text  PRIMARY KEY,
  pepper bytea NOT NULL
);

GRANT SELECT, INSERT ON development_pepper TO muster_service;
