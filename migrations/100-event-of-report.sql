-- A stream of events over HTTP resumes after the event whose id its client names. Ids of events grow with time, so this
-- index is written at its end only. Other streams than reports' are never looked up by an event.
CREATE INDEX event_of_report ON event (bucket, event_id) WHERE stream_type = 'report';
