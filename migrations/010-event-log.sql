-- A bucket is a log without gaps: `position` counts 1, 2, 3… in the order in which transactions committed. The one row of
-- `log_head` hands positions out; it is locked last and until the commit, so a reader that has seen position n has seen
-- everything below n. A sequence would hand them out before the commit, and readers would miss what commits late.

CREATE TABLE log_head (
  bucket   smallint PRIMARY KEY CHECK (bucket BETWEEN 0 AND 255),
  position bigint   NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

INSERT INTO log_head (bucket) SELECT generate_series(0, 255);

CREATE TABLE stream (
  bucket      smallint NOT NULL,
  stream_id   text     NOT NULL,
  tenant_id   text     NOT NULL,
  stream_type text     NOT NULL,
  version     integer  NOT NULL,
  PRIMARY KEY (bucket, stream_id)
) WITH (fillfactor = 80);

CREATE TABLE event (
  bucket         smallint    NOT NULL,
  position       bigint      NOT NULL,
  stream_id      text        NOT NULL,
  version        integer     NOT NULL,
  tenant_id      text        NOT NULL,
  stream_type    text        NOT NULL,
  event_id       uuid        NOT NULL,
  type           text        NOT NULL,
  schema_version smallint    NOT NULL,
  data           jsonb       NOT NULL,
  meta           jsonb       NOT NULL,
  recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (bucket, position),
  UNIQUE (bucket, stream_id, version)
);

-- What is recorded stays recorded: the role that serves can neither change nor remove an event.
GRANT SELECT, INSERT ON event TO muster_service;
GRANT SELECT, INSERT, UPDATE ON stream TO muster_service;
GRANT SELECT, UPDATE ON log_head TO muster_service;
