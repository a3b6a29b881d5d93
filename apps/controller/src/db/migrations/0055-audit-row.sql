-- Who wrote a row last: asked when an edit is refused because its row changed meanwhile.
create index audit_row on weft.audit (resource, row_id, id desc);
