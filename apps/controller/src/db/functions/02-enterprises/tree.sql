-- The given enterprises and everything below them. Asked before there is a scope, hence definer.
create function weft.subtree(roots bigint[]) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive below as (
      select e.id from weft.enterprise e where e.id = any (roots)
      union
      select e.id from weft.enterprise e join below b on e.parent_id = b.id
    )
    select coalesce(array_agg(id order by id), '{}') from below;
  end;
revoke execute on function weft.subtree(bigint[]) from public;
grant execute on function weft.subtree(bigint[]) to weft_api_all, weft_worker;

-- Policies of an enterprise and of all above it, which the session may not see: hence definer.
create function weft.password_policies(of_enterprise bigint) returns text[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    with recursive above as (
      select e.parent_id, e.password_policy from weft.enterprise e where e.id = of_enterprise
      union all
      select e.parent_id, e.password_policy
      from weft.enterprise e join above a on e.id = a.parent_id
    ) select coalesce(array_agg(distinct password_policy), '{}') from above;
  end;
revoke execute on function weft.password_policies(bigint) from public;
grant execute on function weft.password_policies(bigint) to weft_api, weft_api_all;

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
grant execute on function weft.brand_of(bigint) to weft_worker;
