-- A box is looked for by a part of its serial number as well as of its name.
create index node_sn_search on weft.node using gin (sn gin_trgm_ops);
