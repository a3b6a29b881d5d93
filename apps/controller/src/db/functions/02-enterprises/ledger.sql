-- A posting follows the one before it, in the book of its seller, and within the limit. Definer: a
-- user whose scope is own data does not see the postings of others, whose sum counts all the same.
create function weft.check_posting() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  before bigint;
  lowest bigint;
begin
  if new.number = 1 then
    before := 0;
  else
    select balance into before from posting
    where enterprise_id = new.enterprise_id and book_id = new.book_id and number = new.number - 1;
  end if;
  if before is null or new.balance <> before + new.change then
    raise exception 'posting % of enterprise % does not follow from the one before it',
      new.number, new.enterprise_id using errcode = 'check_violation', constraint = 'posting_follows';
  end if;
  select -credit_limit into lowest from enterprise where id = new.enterprise_id;
  if new.change < 0 and new.kind <> 4 and new.balance < lowest then
    raise exception 'credit of enterprise % would go below its limit', new.enterprise_id
      using errcode = 'check_violation', constraint = 'posting_limit';
  end if;
  return new;
end $$;
revoke execute on function weft.check_posting() from public;
create trigger check_posting before insert on weft.posting
  for each row execute function weft.check_posting();

-- At COMMIT, when all entries are there: they are as many as said, add up to zero, and those of the
-- account credit to what the posting says that it changes.
create function weft.check_balanced() returns trigger
language plpgsql security definer set search_path = weft, pg_temp as $$
declare
  of_posting bigint := case tg_table_name when 'posting' then new.id else (to_jsonb(new) ->> 'posting_id')::bigint end;
  is_balanced boolean;
begin
  select p.entries = count(e.id) and coalesce(sum(e.amount), 1) = 0
    and coalesce(sum(e.amount) filter (where e.account = 'credit'), 0) = p.change
  into is_balanced
  from posting p left join entry e on e.posting_id = p.id
  where p.id = of_posting group by p.id;
  if is_balanced is not true then
    raise exception 'posting % is not balanced', of_posting
      using errcode = 'check_violation', constraint = 'posting_balanced';
  end if;
  return null;
end $$;
revoke execute on function weft.check_balanced() from public;
create constraint trigger balanced after insert on weft.posting
  deferrable initially deferred for each row execute function weft.check_balanced();
create constraint trigger balanced after insert on weft.entry
  deferrable initially deferred for each row execute function weft.check_balanced();

-- The last posting of an enterprise in a book, whoever made it: what the next one follows, and what
-- there is left. Of enterprises outside the scope it says nothing.
create function weft.last_posting(of_enterprise bigint, of_book bigint, out number bigint, out balance bigint)
  language sql stable security definer set search_path = weft, pg_temp
  begin atomic
    select p.number, p.balance from weft.posting p
    where p.enterprise_id = of_enterprise and p.book_id = of_book
      and (session_user = 'weft_api_all' or of_enterprise = any (weft.scope_enterprises()))
    order by p.number desc limit 1;
  end;
revoke execute on function weft.last_posting(bigint, bigint) from public;
grant execute on function weft.last_posting(bigint, bigint) to weft_api, weft_api_all, weft_worker;
