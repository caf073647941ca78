-- Failed attempts to authenticate, counted in fixed windows by what is being limited: an address, a client at an address,
-- a person's account. Shared by all processes.
CREATE TABLE failure_window (
  subject  text        PRIMARY KEY,
  ends_at  timestamptz NOT NULL,
  failures integer     NOT NULL
);

CREATE INDEX failure_window_age ON failure_window (ends_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON failure_window TO muster_service;
