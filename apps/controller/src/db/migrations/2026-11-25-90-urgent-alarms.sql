-- Alarms that are active come first, the most severe before the others (alarmEvent.list), and the header counts them.
create index alarm_event_urgent on weft.alarm_event ((cleared_at is not null),
  (case when cleared_at is null then level end), opened_at desc, id desc);
create index alarm_event_active on weft.alarm_event (level) where cleared_at is null;
