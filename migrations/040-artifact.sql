-- Contents of reports, in chunks, under the attempt that made them. Chunks are written before the report's completion is
-- known; only an attempt with published_at is content. What is not published belongs to a running attempt or is swept.
CREATE TABLE artifact (
  bucket smallint NOT NULL,
  report_id text NOT NULL,
  attempt integer NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  PRIMARY KEY (bucket, report_id, attempt)
);

CREATE TABLE artifact_file (
  bucket smallint NOT NULL,
  report_id text NOT NULL,
  attempt integer NOT NULL,
  format text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  PRIMARY KEY (bucket, report_id, attempt, format),
  FOREIGN KEY (bucket, report_id, attempt) REFERENCES artifact ON DELETE CASCADE
);

-- The key to artifact fences a worker that was given up: once its attempt is swept it cannot write on.
CREATE TABLE artifact_chunk (
  bucket smallint NOT NULL,
  report_id text NOT NULL,
  attempt integer NOT NULL,
  format text NOT NULL,
  chunk integer NOT NULL,
  content bytea NOT NULL,
  packed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (bucket, report_id, attempt, format, chunk),
  FOREIGN KEY (bucket, report_id, attempt) REFERENCES artifact ON DELETE CASCADE
);

-- Each chunk of a longer file is packed by itself (zstd), so that a range of bytes is read without the bytes before it. Its writer packs
-- it; the server does not try again.
ALTER TABLE artifact_chunk ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE INDEX artifact_published ON artifact (bucket, published_at) WHERE published_at IS NOT NULL;
CREATE INDEX artifact_unpublished ON artifact (bucket, opened_at) WHERE published_at IS NULL;

GRANT SELECT, INSERT, DELETE ON artifact, artifact_file, artifact_chunk TO muster_service;
GRANT UPDATE (published_at) ON artifact TO muster_service;
