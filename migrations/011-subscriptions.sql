-- How far each subscription has come in each bucket. `attempts` counts the failures of the first event after `position`,
-- which is tried again from `retry_at` on.

CREATE TABLE subscription_checkpoint (
  bucket     smallint    NOT NULL,
  name       text        NOT NULL,
  position   bigint      NOT NULL DEFAULT 0,
  attempts   integer     NOT NULL DEFAULT 0,
  retry_at   timestamptz NOT NULL DEFAULT '-infinity',
  last_error text,
  PRIMARY KEY (bucket, name)
) WITH (fillfactor = 50);

-- Events that a subscription gave up, until someone has them handled again.
CREATE TABLE dead_letter (
  bucket       smallint    NOT NULL,
  subscription text        NOT NULL,
  position     bigint      NOT NULL,
  event_id     uuid        NOT NULL,
  type         text        NOT NULL,
  stream_id    text        NOT NULL,
  attempts     integer     NOT NULL,
  error        text        NOT NULL,
  parked_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (bucket, subscription, position)
);

GRANT SELECT, INSERT, UPDATE ON subscription_checkpoint TO muster_service;
GRANT SELECT, INSERT, DELETE ON dead_letter TO muster_service;
