-- Secrets of policy objects lie sealed under the installation's key (domains/policies/policy/
-- secrets.ts): "sealed:<which key>:<sealed value>". From here on the database refuses a clear one;
-- what an earlier release wrote is sealed by the next start, which then validates these constraints.
alter table weft.router_interface_line
  add column has_pppoe_password boolean not null generated always as (pppoe_password <> '') stored,
  add constraint router_interface_line_sealed
    check (pppoe_password = '' or pppoe_password like 'sealed:%') not valid;
alter table weft.router_bgp
  add column has_password boolean not null generated always as (password <> '') stored,
  add constraint router_bgp_sealed check (password = '' or password like 'sealed:%') not valid;

-- Frozen rows of the same tables.
alter table weft.router_template_version
  add constraint router_template_version_sealed check (not (
    jsonb_path_exists(content, '$.router_interface_line[*].pppoe_password
      ? (@ != "" && !(@ starts with "sealed:"))')
    or jsonb_path_exists(content, '$.router_bgp[*].password
      ? (@ != "" && !(@ starts with "sealed:"))')
  )) not valid;
