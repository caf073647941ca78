-- The ledger of head: the balanced lines of every event, `record` being its number. `category` is an index into CATEGORIES of
-- src/farm-records/head-line.ts, to which entries are only appended. `turn` grows with the order of events, also within an instant. '' stands for no mob, no paddock, no named animal.
CREATE TABLE head_line (
  bucket     smallint    NOT NULL,
  farm_id    text COLLATE "C" NOT NULL,
  at         timestamptz NOT NULL,
  record     bigint      NOT NULL,
  line       integer     NOT NULL,
  turn       bigint      NOT NULL,
  day        date        NOT NULL,
  category   smallint    NOT NULL,
  species    text COLLATE "C" NOT NULL,
  enterprise text COLLATE "C" NOT NULL,
  age_class  text COLLATE "C" NOT NULL,
  mob        text COLLATE "C" NOT NULL,
  paddock    text COLLATE "C" NOT NULL,
  animal     text COLLATE "C" NOT NULL,
  managed    boolean     NOT NULL,
  delta      integer     NOT NULL,
  head       integer     NOT NULL,
  value      numeric,
  book       bigint,
  whp_clear  date,
  esi_clear  date,
  -- The last line of an event that leaves a withheld mob without head by number: the withholding ends with them.
  empties    boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (bucket, farm_id, at, record, line)
);

CREATE INDEX head_line_of_animal ON head_line (bucket, farm_id, animal, at) WHERE animal <> '';
CREATE INDEX head_line_of_member ON head_line (bucket, farm_id, mob, animal) WHERE animal <> '' AND delta > 0;
CREATE INDEX head_line_withheld ON head_line (bucket, farm_id, mob, at)
  WHERE animal = '' AND (whp_clear IS NOT NULL OR esi_clear IS NOT NULL);
CREATE INDEX head_line_that_empties ON head_line (bucket, farm_id, mob, turn) WHERE empties;
CREATE INDEX head_line_of_unknown_species ON head_line (bucket, farm_id, mob, at) WHERE species = 'Unassigned';

GRANT SELECT, INSERT, DELETE ON head_line TO muster_service;
