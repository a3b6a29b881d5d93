-- Metrics older than this do not describe the current state: three measurements of an edge are missing, or what it said
-- stands no longer (`standMs` of measures); the gateway writes both within 5 s.
create function weft.stale_after() returns interval
  language sql immutable parallel safe
  as $$ select interval '25 seconds' $$;

-- With the owner's rights: who sees a link need not see the device that measures it.
create function weft.prober_is_online(link bigint) returns boolean
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select exists (select from weft.link l join weft.node_status s on s.node_id = l.a_node_id
      where l.id = link and s.online);
  end;
revoke execute on function weft.prober_is_online(bigint) from public;
grant execute on function weft.prober_is_online(bigint) to weft_api, weft_api_all, weft_worker;

-- Whether a link is up, from its row of link_status (null: the empty side of a left join): while its last metrics are fresh,
-- and as it was last until the device that measures it had the time to come back to gateways that have just started. What
-- nobody observed is not down. Lists, counts, pictures and the health of nodes all ask here. A single expression without
-- settings of its own, so that PostgreSQL puts it into the statement; the last argument is
-- `(select weft.devices_return())`, which is asked once for all links and only if one is stale.
create function weft.link_is_up(up boolean, at timestamptz, link bigint, devices_return boolean) returns boolean
  language sql stable
  as $$ select coalesce(up, false)
    and (at > now() - weft.stale_after() or devices_return and weft.prober_is_online(link)) $$;
