-- Nodes of the node's standby group, itself included, by id. With the owner's rights: who may see one of them
-- only must not break the other's gateway either.
create function weft.standby_pair(this bigint) returns bigint[]
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select coalesce(array_agg(other.id order by other.id), array[this])
      from weft.node own join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group
      where own.id = this;
  end;
revoke execute on function weft.standby_pair(bigint) from public;
grant execute on function weft.standby_pair(bigint) to weft_api, weft_api_all, weft_worker, weft_gateway;

-- The site that a node is at: of two that stand for each other it is the first one's.
create function weft.standby_sites(those bigint[]) returns table (node_id bigint, site bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select own.id, coalesce(min(other.id), own.id)
      from weft.node own left join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group
      where own.id = any (those) group by own.id;
  end;
revoke execute on function weft.standby_sites(bigint[]) from public;
grant execute on function weft.standby_sites(bigint[]) to weft_api, weft_api_all, weft_worker, weft_gateway;

-- What compile takes from standby groups: a node's place in one, and whether the other device can stand for it, null while
-- that one never reported. No row: the node is in no group.
create function weft.standby_of(nodes bigint[])
  returns table (node_id bigint, standby_group smallint, role text, priority smallint, partner_can boolean)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select own.id, own.hot_standby_group, own.hot_standby_role, own.hot_standby_priority,
        case when jsonb_array_length(coalesce(s.capabilities, '[]')) > 0 then exists (
          select from jsonb_array_elements(s.capabilities) one
          where one ->> 'name' = 'standby' and (one ->> 'can')::boolean) end
      from weft.node own
      left join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group and other.id <> own.id
      left join weft.node_status s on s.node_id = other.id
      where own.id = any (nodes) and own.hot_standby_group is not null;
  end;
revoke execute on function weft.standby_of(bigint[]) from public;
grant execute on function weft.standby_of(bigint[]) to weft_api, weft_api_all, weft_worker;

-- The other device of a node's group cannot take over: it is out of contact, or does not stand by. Null: it can, or the
-- node is in no group, or is not the active one.
create function weft.standby_missing(those bigint[])
  returns table (node_id bigint, name text, since timestamptz)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select own.id, other.name, case when s.online then s.standby_since else s.last_seen end
      from weft.node own
      join weft.node_status mine on mine.node_id = own.id and mine.standby_place = 'active'
      join weft.node other on other.enterprise_id = own.enterprise_id
        and other.hot_standby_group = own.hot_standby_group and other.id <> own.id
      left join weft.node_status s on s.node_id = other.id
      where own.id = any (those)
        and not (coalesce(s.online, false) and s.standby_place is not distinct from 'standby');
  end;
revoke execute on function weft.standby_missing(bigint[]) from public;
grant execute on function weft.standby_missing(bigint[]) to weft_api, weft_api_all, weft_worker;
