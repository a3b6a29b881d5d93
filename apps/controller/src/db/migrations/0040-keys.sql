-- What processes share by the database: which key secrets are under, and, under that key, who the
-- controller is to its devices.
alter table weft.installation
  add column secret_key_hash text,
  add column sealed_identity bytea;
