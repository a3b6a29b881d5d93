-- The rule of the contract (hasTime): a time group has at least one minute. Rows from before it stay as they are.
alter table weft.router_time_node add constraint router_time_node_window
  check (start_time <> end_time and not (start_time = '24:00' and end_time = '00:00')) not valid;
