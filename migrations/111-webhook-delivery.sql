-- What an endpoint is told: one row an endpoint and event. Undistributed like the endpoint and the jobs that deliver, of which there
-- are as many. Whoever wants to change a delivery's state names the turn and the tries it acts on: `turn` grows when it is sent
-- again on request, `tries` counts attempts of this turn, `attempts` those of all turns.
CREATE TABLE webhook_delivery (
  endpoint_id     text        NOT NULL REFERENCES webhook_endpoint ON DELETE CASCADE,
  event_id        uuid        NOT NULL,  -- the event store's
  event           text        NOT NULL,
  tenant_id       text,                  -- NULL: a test
  report_id       text,
  report_type     text,
  occurred_at     timestamptz NOT NULL,
  status          text        NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
  reason          text,
  turn            integer     NOT NULL DEFAULT 1,
  tries           integer     NOT NULL DEFAULT 0,
  attempts        integer     NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (endpoint_id, event_id)
) WITH (fillfactor = 80);

CREATE INDEX webhook_delivery_newest ON webhook_delivery (endpoint_id, created_at DESC, event_id DESC);
CREATE INDEX webhook_delivery_since ON webhook_delivery (endpoint_id, occurred_at, event_id);
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);
CREATE INDEX webhook_delivery_farm ON webhook_delivery (tenant_id);

-- The log of attempts: what came of each, never what was sent or answered.
CREATE TABLE webhook_attempt (
  endpoint_id text        NOT NULL,
  event_id    uuid        NOT NULL,
  number      integer     NOT NULL,
  at          timestamptz NOT NULL,
  duration_ms integer     NOT NULL,
  status      smallint,              -- of the HTTP answer; NULL: there was none
  error       text,                  -- NULL: it was delivered
  PRIMARY KEY (endpoint_id, event_id, number),
  FOREIGN KEY (endpoint_id, event_id) REFERENCES webhook_delivery ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_delivery TO muster_service;
GRANT SELECT, INSERT, DELETE ON webhook_attempt TO muster_service;
