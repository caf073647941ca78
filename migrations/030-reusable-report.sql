-- Reports that may answer the same request again, the newest first.
CREATE TABLE reusable_report (
  bucket     smallint NOT NULL,
  request    bytea    NOT NULL,
  created_at bigint   NOT NULL,
  report_id  text     NOT NULL,
  settled    boolean  NOT NULL DEFAULT false,
  PRIMARY KEY (bucket, request, created_at, report_id)
);

CREATE UNIQUE INDEX reusable_report_id ON reusable_report (bucket, report_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON reusable_report TO muster_service;
