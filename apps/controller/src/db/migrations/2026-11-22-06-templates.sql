-- Router templates: drafts, the versions that were published, and which CPE follows which template.

create table weft.router_template (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references weft.enterprise (id),
  name text not null,
  remark text not null default '',
  -- Published last; 0: never.
  version integer not null default 0,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint router_template_name unique (enterprise_id, name)
);
create index router_template_trigram on weft.router_template using gin (name gin_trgm_ops);
call weft.tenant_table('router_template', 'enterprise_id', 'created_by');

-- What a template contained when it was published: rows by table. Never written again.
create table weft.router_template_version (
  enterprise_id bigint not null,
  template_id bigint not null,
  version integer not null,
  content jsonb not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (template_id, version),
  foreign key (enterprise_id, template_id)
    references weft.router_template (enterprise_id, id) on delete cascade,
  -- Secrets are sealed, as in the tables that the rows are of.
  constraint router_template_version_sealed check (not (
    jsonb_path_exists(content, '$.router_interface_line[*].pppoe_password
      ? (@ != "" && !(@ starts with "sealed:"))')
    or jsonb_path_exists(content, '$.router_bgp[*].password
      ? (@ != "" && !(@ starts with "sealed:"))')
  ))
);
call weft.tenant_table('router_template_version');
call weft.loop_table('router_template_version');
revoke update on weft.router_template_version from weft_api, weft_api_all, weft_worker;

-- One template at a time (A-38); its enterprise is the CPE's own or one above.
create table weft.router_template_node (
  node_id bigint primary key,
  enterprise_id bigint not null,
  template_id bigint not null,
  node_enterprise_id bigint not null,
  -- Published to this CPE last; null: none since it was assigned.
  version integer,
  foreign key (enterprise_id, template_id)
    references weft.router_template (enterprise_id, id) on delete cascade,
  constraint router_template_node_node foreign key (node_enterprise_id, node_id)
    references weft.node (enterprise_id, id) on delete cascade,
  foreign key (template_id, version) references weft.router_template_version (template_id, version)
);
create index router_template_node_template on weft.router_template_node (template_id, node_id);
call weft.tenant_table('router_template_node');
call weft.loop_table('router_template_node');
