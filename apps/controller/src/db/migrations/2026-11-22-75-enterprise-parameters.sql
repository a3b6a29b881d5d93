-- The worker writes times of notifications in each enterprise's time zone, and keeps the logs of its
-- devices for as many days as the enterprise says.
call weft.loop_table('enterprise_param');
