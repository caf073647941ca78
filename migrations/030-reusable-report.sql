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

-- The newest candidate for a request, once every create of it that came before has committed: creates of one request
-- take turns by a lock that lasts until the transaction ends. VOLATILE, so that the second statement sees those commits.
CREATE FUNCTION claim_newest_report(of_bucket smallint, of_request bytea, turn bigint)
RETURNS SETOF reusable_report LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(turn);
  RETURN QUERY SELECT * FROM reusable_report WHERE bucket = of_bucket AND request = of_request
    ORDER BY created_at DESC, report_id DESC LIMIT 1;
END $$;

GRANT EXECUTE ON FUNCTION claim_newest_report TO muster_service;
