-- LAN lines that name a standby group make CPEs one of two (ADR 0027). Saves of networks ask who stands for whom: they
-- find these lines, and LANs that two devices may share, without reading whole versions and all sections.
alter table weft.router_template_version add column standby_lines jsonb not null
  generated always as (jsonb_path_query_array(content,
    '$.router_interface_line[*] ? (@.kind == "lan" && @.hot_standby_group != null)')) stored;
create index router_template_version_standby on weft.router_template_version (template_id, version)
  where standby_lines <> '[]';
create index router_interface_line_standby on weft.router_interface_line (enterprise_id, hot_standby_group)
  where hot_standby_group is not null;
create index lan_section_shared on weft.lan_section (enterprise_id, network) where own_address is not null;
