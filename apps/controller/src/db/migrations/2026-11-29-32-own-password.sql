-- Before something that stops a site the caller's own password is asked for once more. The caller's account may be out of
-- the caller's data scope, and the call must not take a second connection for it: hence definer, for this one user.
create function weft.own_password_hash() returns text
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select u.password_hash from weft.sys_user u where u.id = weft.user_id();
  end;
revoke execute on function weft.own_password_hash() from public;
grant execute on function weft.own_password_hash() to weft_api, weft_api_all;
