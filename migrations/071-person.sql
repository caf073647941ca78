-- People who own or work on farms, and their sessions in a browser. Undistributed: a person's farms lie in many buckets.
CREATE TABLE person (
  id            text        PRIMARY KEY,
  email         text        NOT NULL,
  password_hash text        NOT NULL,  -- Argon2id, in PHC format
  created_at    timestamptz NOT NULL DEFAULT now(),
  disabled_at   timestamptz
);

CREATE UNIQUE INDEX person_email ON person (lower(email));

CREATE TABLE person_farm (
  person_id text NOT NULL REFERENCES person,
  farm_id   text NOT NULL,
  PRIMARY KEY (person_id, farm_id)
);

CREATE TABLE person_session (
  hash       bytea       PRIMARY KEY,  -- SHA-256 of the cookie's value
  person_id  text        NOT NULL REFERENCES person,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);

CREATE INDEX person_session_age ON person_session (expires_at);
CREATE INDEX person_session_person ON person_session (person_id);

GRANT SELECT, INSERT, UPDATE ON person TO muster_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON person_farm, person_session TO muster_service;
