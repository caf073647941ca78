-- What a credential's Idempotency-Key was answered with. Undistributed: a credential belongs to no farm.
CREATE TABLE idempotency_key (
  credential  text   NOT NULL,
  key         text   NOT NULL,
  fingerprint bytea  NOT NULL,
  report_id   text   NOT NULL,
  created     boolean NOT NULL,
  created_at  bigint NOT NULL,
  PRIMARY KEY (credential, key)
);

CREATE INDEX idempotency_key_age ON idempotency_key (created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_key TO muster_service;
