-- Names by the field's words: what devices advertise, whether a confirmation reached a controller, when
-- alarms were sent, metrics. Bodies of functions name columns by identity, so they follow by themselves.

alter table weft.node_state rename column no_echo to unreachable;

alter table weft.node_face rename to node_advertisement;

alter table weft.alarm_strategy rename column told_at to notified_at;
alter table weft.alarm_event rename column open_told to open_notified;
alter table weft.alarm_event rename column clear_told to clear_notified;

alter function weft.alarm_figures(bigint[]) rename to alarm_metrics;
alter function weft.own_figures(bigint[]) rename to own_metrics;
