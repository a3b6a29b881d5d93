-- Networks of an enterprise that overlap with one that is written are found by an index: a space has up to 30,000
-- networks, and a save compared what it wrote with all of them.
create index lan_section_prefix on weft.lan_section
  using gist (enterprise_id, (network(network::inet)::inet) inet_ops);
create index lan_section_prefix6 on weft.lan_section
  using gist (enterprise_id, (network(network6::inet)::inet) inet_ops) where network6 is not null;
create index static_route_prefix on weft.static_route
  using gist (enterprise_id, (network(destination::inet)::inet) inet_ops);
create index route_notice_prefix on weft.route_notice
  using gist (enterprise_id, (network(network::inet)::inet) inet_ops);
