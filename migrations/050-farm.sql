-- A farm: the tenant of everything below. `position` counts its changes; whoever changes the farm or its records holds this row's lock.
-- `unsettled_from` is the mark of an import that was stored and not yet booked: the ledger holds the lines of every event before that
-- instant and none from it on. NULL: all of them. `last_at` is no earlier than any booked event; `turns` counts events as they are booked.
CREATE TABLE farm (
  bucket                  smallint    NOT NULL,
  farm_id                 text COLLATE "C" NOT NULL,
  name                    text        NOT NULL,
  time_zone               text        NOT NULL,
  animal_unit             text        NOT NULL,
  area_unit               text        NOT NULL,
  currency                text        NOT NULL,
  financial_year_start    text        NOT NULL,
  natural_increase_values jsonb       NOT NULL,
  position                bigint      NOT NULL DEFAULT 0,
  unsettled_from          timestamptz,
  last_at                 timestamptz,
  turns                   bigint      NOT NULL DEFAULT 0,
  created_at              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bucket, farm_id)
) WITH (fillfactor = 50);

CREATE INDEX farm_by_id ON farm (farm_id);

GRANT SELECT, INSERT, UPDATE ON farm TO muster_service;
