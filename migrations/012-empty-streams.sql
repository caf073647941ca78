-- Takes everything out of streams but their places: ids, versions, positions and times stay, so that the bucket remains a log
-- without gaps. The empty tenant and this type are those of src/event-store/bucket.ts. For the owner of the tables alone.
CREATE FUNCTION empty_streams(of_bucket smallint, stream_ids text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE stream SET tenant_id = '' WHERE bucket = of_bucket AND stream_id = ANY (stream_ids);
  UPDATE event SET tenant_id = '', type = 'Erased', schema_version = 1, data = '{}', meta = '{}'
   WHERE bucket = of_bucket AND stream_id = ANY (stream_ids);
$$;

REVOKE ALL ON FUNCTION empty_streams FROM PUBLIC;
