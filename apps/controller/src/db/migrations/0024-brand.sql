-- White label of an agent. What is null it has from the nearest enterprise above that says it.
create table weft.brand_image (
  enterprise_id bigint not null references weft.enterprise (id) on delete cascade,
  -- SHA-256 of the content, in hex: its address, under which it never changes.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  -- A PNG that the controller wrote itself.
  content bytea not null check (octet_length(content) <= 1048576),
  created_at timestamptz not null default now(),
  primary key (enterprise_id, digest)
);
create index brand_image_digest on weft.brand_image (digest);
call weft.tenant_table('brand_image');

create table weft.brand (
  enterprise_id bigint primary key references weft.enterprise (id) on delete cascade,
  name text,
  color text,
  host text,
  logo text,
  icon text,
  updated_at timestamptz not null default now(),
  constraint brand_host unique (host),
  foreign key (enterprise_id, logo) references weft.brand_image (enterprise_id, digest),
  foreign key (enterprise_id, icon) references weft.brand_image (enterprise_id, digest)
);
call weft.tenant_table('brand');

-- How the console looks to an enterprise: each part from the nearest one that says it, itself first.
-- Those above lie outside of the session's scope: hence definer.
create function weft.brand_of(of_enterprise bigint)
  returns table (name text, color text, logo text, icon text)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive above as (
      select e.id, e.parent_id, 0 as distance from weft.enterprise e where e.id = of_enterprise
      union all
      select e.id, e.parent_id, a.distance + 1
      from weft.enterprise e join above a on e.id = a.parent_id
    )
    select (array_agg(b.name order by a.distance) filter (where b.name is not null))[1],
           (array_agg(b.color order by a.distance) filter (where b.color is not null))[1],
           (array_agg(b.logo order by a.distance) filter (where b.logo is not null))[1],
           (array_agg(b.icon order by a.distance) filter (where b.icon is not null))[1]
    from above a join weft.brand b on b.enterprise_id = a.id;
  end;
revoke execute on function weft.brand_of(bigint) from public;
grant execute on function weft.brand_of(bigint) to weft_api, weft_api_all;
