-- What was imported, as it was said last. `number` names a record in the ledger for good; `position` is the farm's at its last change.
-- Events have a place in time: `at` (the start of `day` when `timed` is false), then `rank`, then source and source_id.
CREATE TABLE farm_record (
  bucket        smallint    NOT NULL,
  farm_id       text COLLATE "C" NOT NULL,
  source        text COLLATE "C" NOT NULL,
  source_id     text COLLATE "C" NOT NULL,
  number        bigint      NOT NULL,
  position      bigint      NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  resource_id   text COLLATE "C",
  modified      timestamptz NOT NULL,
  deleted       boolean     NOT NULL,
  timed         boolean     NOT NULL,
  day           date,
  at            timestamptz,
  rank          smallint,
  body          jsonb       NOT NULL,
  recorded_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bucket, farm_id, source, source_id)
);

CREATE INDEX farm_record_in_time ON farm_record (bucket, farm_id, at, rank) WHERE at IS NOT NULL;
CREATE INDEX farm_record_of_type_in_time ON farm_record (bucket, farm_id, resource_type, at) WHERE at IS NOT NULL;
CREATE INDEX farm_record_declared ON farm_record (bucket, farm_id, resource_type, resource_id) WHERE at IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON farm_record TO muster_service;

-- What was said before, and when it was replaced by something said later.
CREATE TABLE farm_record_version (
  bucket        smallint    NOT NULL,
  farm_id       text COLLATE "C" NOT NULL,
  source        text COLLATE "C" NOT NULL,
  source_id     text COLLATE "C" NOT NULL,
  position      bigint      NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  modified      timestamptz NOT NULL,
  deleted       boolean     NOT NULL,
  body          jsonb       NOT NULL,
  recorded_at   timestamptz NOT NULL,
  replaced_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bucket, farm_id, source, source_id, position)
);

GRANT SELECT, INSERT, DELETE ON farm_record_version TO muster_service;
