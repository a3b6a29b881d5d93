-- Runs as owner: who writes an audit row need not be able to write, or take away, what waits.
create function weft.wait_for_seal() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  insert into audit_waiting (audit_id, enterprise_id) select id, enterprise_id from added;
  return null;
end $$;
revoke execute on function weft.wait_for_seal() from public;
create trigger wait_for_seal after insert on weft.audit
  referencing new table as added for each statement execute function weft.wait_for_seal();

-- What the row is about, whatever the writer gave for it.
-- With the owner's rights: that a writer may not read where its row belongs is no reason to leave it unnamed.
-- Names of other enterprises' devices are not taken.
create function weft.describe_audit() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
begin
  new.verb := substring(new.action from '[^.]*$');
  new.node_id := audit_node(new.resource, new.row_id, new.old_value, new.new_value);
  new.template_id := audit_template(new.resource, new.row_id, new.old_value, new.new_value);
  new.about := jsonb_strip_nulls(jsonb_build_object(
    'enterprise', (select e.name from enterprise e where e.id = new.enterprise_id),
    'node', (select n.name from node n where n.id = new.node_id and n.enterprise_id = new.enterprise_id),
    'template', (select t.name from router_template t
      where t.id = new.template_id and t.enterprise_id = new.enterprise_id)));
  return new;
end $$;
revoke execute on function weft.describe_audit() from public;
create trigger describe_audit before insert on weft.audit
  for each row execute function weft.describe_audit();
