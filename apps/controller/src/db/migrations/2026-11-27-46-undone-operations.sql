-- Entries of the operation log that were undone, each once (docs/adr/0031-template-versions.md). The log itself is sealed:
-- nothing is added to its rows.
create table weft.undone_operation (
  audit_id bigint primary key,
  -- Of the entry.
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  login_name text not null,
  created_by bigint not null,
  created_at timestamptz not null default now()
);
call weft.tenant_table('undone_operation');
create index undone_operation_enterprise on weft.undone_operation (enterprise_id);
