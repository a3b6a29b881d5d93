-- PostgreSQL evaluates the policies of a table one after the other until one lets the row pass, in the reverse order of their
-- names. What others share with the caller was evaluated first, the function that finds the POPs offered to an agent included:
-- 0.1 ms of nearly every read of a call. These names come before `in_scope`: the caller's own rows pass by that.
alter policy shared on weft.node rename to beyond_scope_shared;
alter policy shared on weft.line rename to beyond_scope_shared;
alter policy shared on weft.node_status rename to beyond_scope_shared;
alter policy shared on weft.node_health rename to beyond_scope_shared;
alter policy shared on weft.enterprise_ipgroup rename to beyond_scope_shared;
alter policy shared on weft.alarm_strategy rename to beyond_scope_shared;
alter policy shared on weft.alarm_rule rename to beyond_scope_shared;
alter policy offered on weft.node rename to beyond_scope_offered;
alter policy offered on weft.line rename to beyond_scope_offered;
alter policy offered on weft.node_status rename to beyond_scope_offered;
