create function weft.note_port() returns trigger language plpgsql as $$
begin
  insert into weft.cpe_port (enterprise_id, node_id, name, role)
  values (new.enterprise_id, new.node_id, new.interface_name, tg_argv[0])
  on conflict on constraint cpe_port_once do nothing;
  return null;
end $$;
create trigger line_port after insert or update of interface_name on weft.line
  for each row execute function weft.note_port('wan');
create trigger lan_port after insert or update of interface_name on weft.lan_section
  for each row execute function weft.note_port('lan');

-- The interface that a LAN section is on: `interfaceOf` of rules/vlan-interface.ts in the contract, which a test compares.
create function weft.interface_of(card text, tag integer) returns text
  language sql immutable parallel safe
  as $$
    select case
      when coalesce(tag, 0) = 0 then card
      when length(card || '.' || tag) <= 15 then card || '.' || tag
      else 'v' || tag || '-' || right(card, 15 - length('v' || tag || '-'))
    end
  $$;

-- Whether VLANs of two cards would have one interface.
create function weft.is_interface_of_two(card text, tag integer, other_card text, other_tag integer) returns boolean
  language sql immutable parallel safe
  as $$
    select card <> other_card and coalesce(tag, 0) <> 0 and coalesce(other_tag, 0) <> 0
      and weft.interface_of(card, tag) = weft.interface_of(other_card, other_tag)
  $$;

-- An interface belongs to one WAN link or to LANs. The form's rule names the owner; of two writes at the same moment,
-- each valid alone, one is admitted. A LAN with a VLAN tag has an interface of its own, which a link may name. Names that were
-- shortened may be the same for two cards of a device, of which only one can have it.
create function weft.guard_interface_owner() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  is_owned boolean;
begin
  perform from node where id = new.node_id for no key update;
  if tg_table_name = 'line' then
    select exists (select from lan_section s where s.node_id = new.node_id
      and weft.interface_of(s.interface_name, s.vlan) = new.interface_name) into is_owned;
  else
    select exists (select from line l where l.node_id = new.node_id
      and l.interface_name = weft.interface_of(new.interface_name, new.vlan))
      or exists (select from lan_section s where s.node_id = new.node_id and s.id <> new.id
        and weft.is_interface_of_two(s.interface_name, s.vlan, new.interface_name, new.vlan)) into is_owned;
  end if;
  if is_owned then
    raise exception 'interface % has another owner', new.interface_name
      using errcode = 'unique_violation', constraint = 'interface_owner';
  end if;
  return new;
end $$;
revoke execute on function weft.guard_interface_owner() from public;
create trigger interface_owner_insert before insert on weft.line
  for each row execute function weft.guard_interface_owner();
create trigger interface_owner_update before update on weft.line
  for each row when (old.interface_name <> new.interface_name)
  execute function weft.guard_interface_owner();
create trigger interface_owner_insert before insert on weft.lan_section
  for each row execute function weft.guard_interface_owner();
create trigger interface_owner_update before update on weft.lan_section
  for each row when (old.interface_name <> new.interface_name or old.vlan is distinct from new.vlan)
  execute function weft.guard_interface_owner();
