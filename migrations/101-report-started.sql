-- When the last attempt at a report began: with the end of it how long reports of a type take, which is what callers are
-- told about when to ask again.
ALTER TABLE report ADD started_at bigint;
