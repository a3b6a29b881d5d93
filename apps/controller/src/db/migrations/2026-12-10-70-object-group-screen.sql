-- IP and URL groups of enterprises have a screen of their own. Whoever may use their calls by the entry of acceleration gets its entry.
insert into weft.role_permission (role_id, enterprise_id, permission)
  select p.role_id, p.enterprise_id, '/business-system/objectgroup' from weft.role_permission p
  where p.permission = '/business-system/saasquickly'
  on conflict do nothing;
