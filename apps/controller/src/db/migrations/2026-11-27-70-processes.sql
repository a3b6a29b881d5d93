-- The processes of this installation: each writes its own row every 15 seconds (docs/adr/0033-status-page.md).
create table weft.process (
  -- Made by the process at its start.
  id uuid primary key,
  host text not null,
  port integer not null,
  pid integer not null,
  roles text[] not null,
  version text not null,
  node_version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  -- What it measured of itself (domains/monitoring/installation/facts.ts).
  facts jsonb not null,
  -- A port is that of one process: the next on it takes the row of one that was killed.
  constraint process_place unique (host, port)
);
alter table weft.process enable row level security;
alter table weft.process force row level security;
create policy owned on weft.process to weft_owner using (true) with check (true);
create policy whole on weft.process to weft_api_all using (true) with check (true);
