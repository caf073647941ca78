-- Reports that recur. Instants are Unix milliseconds, as the reports' own. `look_at` is when a worker looks at the schedule next:
-- at `next_due_at`, or a little later after a failure. What fell due before `active_since` is nobody's to make up for.
CREATE TABLE report_schedule (
  bucket       smallint NOT NULL,
  schedule_id  text     NOT NULL,
  tenant_id    text     NOT NULL,
  owner        text     NOT NULL,  -- id of the credential that the reports are made for
  type         text     NOT NULL,
  every        text     NOT NULL,
  days_after   integer  NOT NULL,
  at           text     NOT NULL,
  enabled      boolean  NOT NULL,
  stopped      text,               -- why it was disabled by itself
  active_since bigint   NOT NULL,
  next_due_at  bigint   NOT NULL,
  next_start   text     NOT NULL,
  next_end     text     NOT NULL,
  look_at      bigint   NOT NULL,
  created_at   bigint   NOT NULL,
  modified_at  bigint   NOT NULL,
  PRIMARY KEY (bucket, schedule_id)
);

CREATE INDEX report_schedule_due ON report_schedule (look_at) WHERE enabled;
CREATE INDEX report_schedule_farm ON report_schedule (bucket, tenant_id);

-- A row a period, in the transaction that makes its report: that there is one of each is what keeps processes from making two.
-- `missed` counts the periods before it that fell due while nobody looked, and were left out.
CREATE TABLE report_schedule_run (
  bucket       smallint NOT NULL,
  schedule_id  text     NOT NULL,
  period_start text     NOT NULL,
  period_end   text     NOT NULL,
  due_at       bigint   NOT NULL,
  ran_at       bigint   NOT NULL,
  missed       integer  NOT NULL,
  report_id    text     NOT NULL,
  PRIMARY KEY (bucket, schedule_id, period_start, period_end),
  FOREIGN KEY (bucket, schedule_id) REFERENCES report_schedule ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON report_schedule TO muster_service;
GRANT SELECT, INSERT, DELETE ON report_schedule_run TO muster_service;
