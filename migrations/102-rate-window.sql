-- How much of its allowance a credential has drawn in the window that runs: processes draw slices and count them up
-- themselves. Undistributed: a credential belongs to no farm. Unlogged: a crash of the database begins the windows anew.
CREATE UNLOGGED TABLE rate_window (
  subject text        PRIMARY KEY,
  ends_at timestamptz NOT NULL,
  drawn   bigint      NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX rate_window_age ON rate_window (ends_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON rate_window TO muster_service;
