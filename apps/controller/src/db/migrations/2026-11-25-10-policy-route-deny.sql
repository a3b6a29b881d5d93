-- Policy routes that refuse their flows in place of a way out.
alter table weft.router_policy_route add column deny boolean not null default false;
