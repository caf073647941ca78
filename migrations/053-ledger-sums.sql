-- Sums of the ledger, kept by adding and subtracting as lines come and go. `lines` counts the lines in a sum; at 0 the row can go.

-- By local month. `value` and `valued_head` sum the lines that have a value.
CREATE TABLE monthly_flow (
  bucket      smallint NOT NULL,
  farm_id     text COLLATE "C" NOT NULL,
  month       date     NOT NULL,
  species     text COLLATE "C" NOT NULL,
  enterprise  text COLLATE "C" NOT NULL,
  age_class   text COLLATE "C" NOT NULL,
  mob         text COLLATE "C" NOT NULL,
  paddock     text COLLATE "C" NOT NULL,
  category    smallint NOT NULL,
  delta       bigint   NOT NULL,
  value       numeric  NOT NULL,
  valued_head bigint   NOT NULL,
  lines       bigint   NOT NULL,
  PRIMARY KEY (bucket, farm_id, month, species, enterprise, age_class, mob, paddock, category)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON monthly_flow TO muster_service;

-- Of all lines booked: where head stand at the end of the ledger, from which the next event is booked.
CREATE TABLE head_balance (
  bucket     smallint NOT NULL,
  farm_id    text COLLATE "C" NOT NULL,
  mob        text COLLATE "C" NOT NULL,
  species    text COLLATE "C" NOT NULL,
  enterprise text COLLATE "C" NOT NULL,
  age_class  text COLLATE "C" NOT NULL,
  paddock    text COLLATE "C" NOT NULL,
  managed    boolean  NOT NULL,
  head       bigint   NOT NULL,
  lines      bigint   NOT NULL,
  PRIMARY KEY (bucket, farm_id, mob, species, enterprise, age_class, paddock, managed)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON head_balance TO muster_service;

-- The same without mob and paddock, for the calendar's day, month, quarter and year that a line lies in, so that an opening balance and the
-- worth of stock through many years cost little more than those of one.
CREATE TABLE class_flow (
  bucket      smallint NOT NULL,
  farm_id     text COLLATE "C" NOT NULL,
  unit        text COLLATE "C" NOT NULL,
  begins      date     NOT NULL,
  species     text COLLATE "C" NOT NULL,
  enterprise  text COLLATE "C" NOT NULL,
  age_class   text COLLATE "C" NOT NULL,
  category    smallint NOT NULL,
  delta       bigint   NOT NULL,
  value       numeric  NOT NULL,
  valued_head bigint   NOT NULL,
  lines       bigint   NOT NULL,
  PRIMARY KEY (bucket, farm_id, unit, begins, species, enterprise, age_class, category)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON class_flow TO muster_service;
