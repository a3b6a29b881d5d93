-- A token for templates, given out by a person (specification section 2.1): the log-in that it was
-- given out from, and ends with. null: a log-in itself.
alter table weft.session add column issuer uuid;
