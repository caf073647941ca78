-- Security events name clients, people and addresses, and are not kept for ever. The role that serves changes no event; this
-- function empties old security events in its place, as the owner, and those of the last 90 days for nobody.
CREATE INDEX event_of_security ON event (bucket, recorded_at) WHERE stream_type = 'security' AND type <> 'Erased';

CREATE FUNCTION forget_security_events(of_bucket smallint, older_than_days integer, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  old text[] := ARRAY (
    SELECT stream_id FROM stream JOIN event USING (bucket, stream_id)
     WHERE bucket = of_bucket AND event.stream_type = 'security' AND event.type <> 'Erased'
       AND recorded_at < now() - greatest(older_than_days, 90) * interval '1 day'
     ORDER BY recorded_at LIMIT most FOR UPDATE OF stream SKIP LOCKED);
BEGIN
  PERFORM empty_streams(of_bucket, old);
  RETURN cardinality(old);
END;
$$;

REVOKE ALL ON FUNCTION forget_security_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_security_events TO muster_service;
