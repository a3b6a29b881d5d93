-- The operation log names what it is about as it was called then, and is filtered by device, template,
-- and kind of action. What was written before has no names of its time; its seals stay as they are.

create function weft.audit_id(given text) returns bigint
  language sql immutable parallel safe as $$
    select case when given ~ '^\d{1,18}$' then given::bigint end
  $$;

-- The device that the values of a row name. A POP's policy object has an empty "cpeId" beside its "popId"; alone,
-- "popId" is a setting of something that is no part of the POP.
create function weft.audit_node_in(recorded jsonb) returns bigint
  language sql immutable parallel safe as $$
    select weft.audit_id(coalesce(recorded ->> 'nodeId', recorded ->> 'nCpeID', recorded ->> 'cpeId',
      recorded ->> 'node_id', case when recorded ? 'cpeId' then recorded ->> 'popId' end))
  $$;

-- The device that a row of the log is about; null: none, or several.
create function weft.audit_node(resource text, row_id bigint, old_value jsonb, new_value jsonb) returns bigint
  language sql immutable parallel safe as $$
    select case
      when resource in ('cpe', 'pop', 'cpeCfg', 'popCfg', 'nodeState', 'command') then row_id
      else coalesce(weft.audit_node_in(new_value), weft.audit_node_in(old_value))
    end
  $$;

-- The template that a row of the log is about; null: none.
create function weft.audit_template(resource text, row_id bigint, old_value jsonb, new_value jsonb) returns bigint
  language sql immutable parallel safe as $$
    select case when resource = 'routerTemplate' then row_id
      else weft.audit_id(coalesce(new_value ->> 'templateId', old_value ->> 'templateId')) end
  $$;

alter table weft.audit
  -- Names of enterprise, node and template when the row was written; null: it is older than this column.
  add about jsonb,
  -- Columns and not expressions in the indexes: row-level security lets an index answer only what cannot leak.
  add verb text not null generated always as (substring(action from '[^.]*$')) stored,
  add node_id bigint generated always as (weft.audit_node(resource, row_id, old_value, new_value)) stored,
  add template_id bigint generated always as (weft.audit_template(resource, row_id, old_value, new_value)) stored;

create index audit_of_node on weft.audit (node_id, at desc) where node_id is not null;
create index audit_of_template on weft.audit (template_id, at desc) where template_id is not null;
create index audit_verb on weft.audit (verb, at desc);
create index audit_module on weft.audit (resource, at desc);

-- With the owner's rights: that a writer may not read where its row belongs is no reason to leave it unnamed.
-- Names of other enterprises' devices are not taken.
create function weft.describe_audit() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  of_node bigint := audit_node(new.resource, new.row_id, new.old_value, new.new_value);
  of_template bigint := audit_template(new.resource, new.row_id, new.old_value, new.new_value);
begin
  new.about := jsonb_strip_nulls(jsonb_build_object(
    'enterprise', (select e.name from enterprise e where e.id = new.enterprise_id),
    'node', (select n.name from node n where n.id = of_node and n.enterprise_id = new.enterprise_id),
    'template', (select t.name from router_template t
      where t.id = of_template and t.enterprise_id = new.enterprise_id)));
  return new;
end $$;
revoke execute on function weft.describe_audit() from public;
create trigger describe_audit before insert on weft.audit
  for each row execute function weft.describe_audit();
