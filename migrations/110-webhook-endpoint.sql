-- Where clients want to be told about reports. Undistributed: an endpoint belongs to a credential, whose farms lie in many buckets.
-- Secrets are sealed (src/auth/sealed-secrets.ts), since they must be read again to sign; the one before stays valid for a while.
CREATE TABLE webhook_endpoint (
  id              text        PRIMARY KEY,
  owner           text        NOT NULL,  -- id of the credential in whose name it is told
  url             text        NOT NULL,
  description     text        NOT NULL,
  events          text[]      NOT NULL,
  farms           text[],                -- NULL: every farm the owner reaches
  enabled         boolean     NOT NULL,
  disabled_reason text,
  disabled_at     timestamptz,
  secret          text        NOT NULL,
  previous_secret text,
  previous_until  timestamptz,
  failing_since   timestamptz,           -- the first failed attempt since one succeeded
  created_at      timestamptz NOT NULL DEFAULT now(),
  modified_at     timestamptz NOT NULL DEFAULT now(),
  CHECK (enabled = (disabled_at IS NULL) AND enabled = (disabled_reason IS NULL)),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);

CREATE INDEX webhook_endpoint_owner ON webhook_endpoint (owner, created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoint TO muster_service;
