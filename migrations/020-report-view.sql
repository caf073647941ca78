-- The read model of reports: one row a report, kept in the commit that appends its events.
CREATE TABLE report (
  bucket            smallint NOT NULL,
  report_id         text     NOT NULL,
  tenant_id         text     NOT NULL,
  type              text     NOT NULL,
  generator         text     NOT NULL,
  period_start_sent bigint   NOT NULL,
  period_end_sent   bigint   NOT NULL,
  period_start      text     NOT NULL,
  period_end        text     NOT NULL,
  time_zone         text     NOT NULL,
  warnings          jsonb    NOT NULL,
  status            text     NOT NULL,
  created_at        bigint   NOT NULL,
  modified_at       bigint   NOT NULL,
  attempt           integer,
  failure_reason    text,
  manifest          jsonb,
  PRIMARY KEY (bucket, report_id)
) WITH (fillfactor = 85);

CREATE INDEX report_of_farm ON report (bucket, tenant_id, created_at DESC, report_id DESC);
CREATE INDEX report_newest ON report (created_at DESC, report_id DESC);
CREATE INDEX report_unfinished ON report (status, created_at) WHERE status IN ('pending', 'processing');

GRANT SELECT, INSERT, UPDATE, DELETE ON report TO muster_service;
