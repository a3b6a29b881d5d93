-- A compile reads classes of traffic as well: counted beside what was counted before.
alter function weft.intent_counts(bigint, bigint[]) rename to intent_counts_but_classes;
create function weft.intent_counts(this bigint, those bigint[]) returns table (name text, n bigint)
  language sql stable set search_path = weft, pg_temp as $$
    select * from weft.intent_counts_but_classes(this, those)
    -- As classes_in reads them: with the owner's rights, so that none is hidden.
    union all select 'traffic_class', count(*) from weft.classes_in(
      array(select space_id from weft.space_member where node_id = this))
  $$;
revoke execute on function weft.intent_counts(bigint, bigint[]) from public;
grant execute on function weft.intent_counts(bigint, bigint[]) to weft_worker;
