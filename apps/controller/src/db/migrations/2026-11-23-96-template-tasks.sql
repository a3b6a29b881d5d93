-- What of a template's version does not act as asked for on the node of a state: {cannot, count, rows}.
-- A task of a published template ends by what the state with its version says, and keeps that: states are
-- swept, the log of a template is not. Null: everything acts, or nothing is known.
alter table weft.node_state add template_unmet jsonb;
alter table weft.task add unmet jsonb;
