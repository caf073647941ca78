-- The wall between farms that generators stand behind. Their connections act as muster_generator: it sees only what a pass
-- names, and passes are made by the service alone, one for each attempt at a report. So a report type that gets its SQL or
-- its farm wrong, or takes its connection over, finds the records of one farm and the unpublished content of one attempt.
DO $$
BEGIN
  CREATE ROLE muster_generator NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;

-- Where generators have no login of their own (GENERATION_DATABASE_URL), the service's takes on their role.
DO $$
BEGIN
  SET LOCAL ROLE muster_generator;
  RESET ROLE;
EXCEPTION WHEN insufficient_privilege THEN
  GRANT muster_generator TO CURRENT_USER;
END $$;

-- Passes are authenticated by a key that nobody but the functions below can read.
CREATE TABLE generation_pass_key (key bytea NOT NULL);
INSERT INTO generation_pass_key VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

CREATE FUNCTION generation_pass_code(content text) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, public, pg_temp
RETURN (SELECT sha256(key || sha256(key || convert_to(content, 'UTF8'))) FROM generation_pass_key);

CREATE FUNCTION issue_generation_pass(bucket smallint, farm_id text, report_id text, attempt integer, seconds integer) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  SELECT encode(generation_pass_code(content), 'hex') || content
    FROM (SELECT jsonb_build_array(bucket, farm_id, report_id, attempt, extract(epoch FROM now()) + seconds)::text AS content) AS passed;
END;

-- The one row that the connection's pass stands for; none without a pass that was issued here and is in force.
-- Codes are compared by their digests, so the time it takes tells nothing of them.
CREATE FUNCTION generation_pass() RETURNS TABLE (bucket smallint, farm_id text, report_id text, attempt integer)
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
BEGIN ATOMIC
  WITH given AS (SELECT current_setting('muster.generation_pass', true) AS pass),
  authentic AS MATERIALIZED (
    SELECT substr(pass, 65) AS content FROM given
     WHERE pass IS NOT NULL
       AND sha256(convert_to(left(pass, 64), 'UTF8')) = sha256(convert_to(encode(generation_pass_code(substr(pass, 65)), 'hex'), 'UTF8'))
  ), read AS (SELECT content::jsonb AS said FROM authentic)
  SELECT (said ->> 0)::smallint, said ->> 1, said ->> 2, (said ->> 3)::integer
    FROM read WHERE (said ->> 4)::float8 > extract(epoch FROM clock_timestamp());
END;

REVOKE EXECUTE ON FUNCTION generation_pass_code, issue_generation_pass, generation_pass FROM PUBLIC;
GRANT EXECUTE ON FUNCTION issue_generation_pass TO muster_service;
GRANT EXECUTE ON FUNCTION generation_pass TO muster_generator;

-- What generators see, under the tables' own names: their connections search this schema and can enter no other. Views, since
-- row-level security on the tables would forbid the service its COPY.
CREATE SCHEMA generation;
GRANT USAGE ON SCHEMA generation TO muster_generator;

-- A planner takes CASE for a condition that half the rows meet. It would take the bare comparison for a second, independent
-- choice of a farm beside the statement's own, and expect next to nothing where a farm has millions of rows.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['farm', 'farm_record', 'head_line', 'monthly_flow', 'class_flow'] LOOP
    EXECUTE format($view$
      CREATE VIEW generation.%1$I WITH (security_barrier) AS SELECT * FROM public.%1$I
       WHERE CASE WHEN farm_id = (SELECT p.farm_id FROM generation_pass() p) THEN true ELSE false END
    $view$, name);
    EXECUTE format('GRANT SELECT ON generation.%I TO muster_generator', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['artifact', 'artifact_file', 'artifact_chunk'] LOOP
    EXECUTE format($view$
      CREATE VIEW generation.%1$I WITH (security_barrier) AS SELECT * FROM public.%1$I
       WHERE (bucket, report_id) = (SELECT p.bucket, p.report_id FROM generation_pass() p)
         AND attempt <= (SELECT p.attempt FROM generation_pass() p)
      WITH CHECK OPTION
    $view$, name);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON generation.%I TO muster_generator', name);
  END LOOP;
END $$;
