-- A change of the controller's key (docs/adr/0017-controller-key.md): the next key is prepared, devices confirm
-- that they hold it, then it becomes the present one.
alter table weft.installation
  -- Raw Ed25519 public key (base64url), and its private key under the key for secrets.
  add next_controller_key text,
  add sealed_next_identity bytea,
  add key_prepared_at timestamptz,
  add key_activated_at timestamptz,
  -- Earlier keys of this controller: a gateway whose file holds one of them is behind, and no stranger.
  add retired_controller_keys text[] not null default '{}',
  add constraint next_key_is_whole check (
    (next_controller_key is null) = (sealed_next_identity is null)
    and (next_controller_key is null) = (key_prepared_at is null));

-- The newest key of the controller that the device has reported to hold on its disk; null: it never reported any.
alter table weft.node_identity add pinned_key text;

-- A device reports the newest key that it holds. What it holds before any change is prepared is no event.
create function weft.note_pin(node bigint, key text, pinned text) returns void
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  was weft.node_identity;
begin
  select * into was from weft.node_identity i
  where i.node_id = node and i.public_key = key and i.state = 'approved' for update;
  if was.id is null or was.pinned_key is not distinct from pinned then return; end if;
  update weft.node_identity set pinned_key = pinned where id = was.id;
  if was.pinned_key is null
    and not exists (select from weft.installation where next_controller_key = pinned) then return; end if;
  insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value, address, request_id)
  values (was.enterprise_id, 0, 'edge', 'edge.pin', 'enrolment', was.id,
    jsonb_build_object('nodeId', node, 'controllerKey', was.pinned_key),
    jsonb_build_object('nodeId', node, 'controllerKey', pinned), '', '');
end $$;
revoke execute on function weft.note_pin(bigint, text, text) from public;
grant execute on function weft.note_pin(bigint, text, text) to weft_gateway;
