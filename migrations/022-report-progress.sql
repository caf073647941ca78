-- How far the attempt that runs has come, and how many rows there may be in the end, if an earlier report lets one say. Noted about once
-- a second beside the read model: no events, and empty again with the next event of the report.
ALTER TABLE report ADD rows_written bigint, ADD rows_estimated bigint;
