-- The role that serves. It owns nothing; every later migration grants it exactly what the service needs, so an event
-- cannot be changed even by a service that wants to. Roles belong to the whole cluster, hence the care for a role that
-- another database has made, or is making at this moment.
DO $$
BEGIN
  CREATE ROLE muster_service NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$;

DO $$
BEGIN
  SET LOCAL ROLE muster_service;
  RESET ROLE;
EXCEPTION WHEN insufficient_privilege THEN
  GRANT muster_service TO CURRENT_USER;
END $$;

GRANT USAGE ON SCHEMA public TO muster_service;
GRANT SELECT ON migration TO muster_service;
