-- Who still asks for deprecated report types: a count a type and client, kept in the commit that records the asking.
CREATE TABLE deprecated_use (
  bucket       smallint NOT NULL,
  type         text     NOT NULL,
  client       text     NOT NULL,
  uses         bigint   NOT NULL,
  last_used_at bigint   NOT NULL,
  PRIMARY KEY (bucket, type, client)
) WITH (fillfactor = 70);

-- Reports of deprecated types: the event of a reuse does not say the type.
CREATE TABLE deprecated_report (
  bucket    smallint NOT NULL,
  report_id text     NOT NULL,
  type      text     NOT NULL,
  PRIMARY KEY (bucket, report_id)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON deprecated_use, deprecated_report TO muster_service;
