-- Money: an append-only double-entry ledger (docs/adr/0011-ledger.md). Amounts are bigint minor
-- units (1/100). What an enterprise has is a sum of entries and stands in no cell: each posting
-- carries the sum so far, the database checks that it is one, and nobody can change it.

alter table weft.enterprise
  -- How far below zero its credit may go.
  add column credit_limit bigint not null default 0 check (credit_limit between 0 and 100000000000000);

create table weft.posting (
  id bigint generated always as identity primary key,
  -- Whose money it is.
  enterprise_id bigint not null references weft.enterprise (id),
  -- In whose book it stands: the enterprise above it, which sells to it. The topmost keeps its own.
  book_id bigint not null references weft.enterprise (id),
  -- 1, 2, 3 ... of this enterprise in this book, without a gap.
  number bigint not null check (number > 0),
  -- 1 recharge, 2 charge, 3 refund, 4 carried over from or to another book.
  kind smallint not null check (kind in (1, 2, 3, 4)),
  -- The same key is never posted twice: a repeated request finds the first.
  request_key text not null check (length(request_key) between 1 and 128),
  -- What it changes the enterprise's credit by, and the credit after it.
  change bigint not null check (change <> 0 and abs(change) <= 100000000000000),
  balance bigint not null check (abs(balance) <= 999999999999999),
  -- How many entries it has: one that comes later is refused.
  entries smallint not null check (entries between 2 and 16),
  -- What was paid for, in words.
  target text not null default '',
  remark text not null default '',
  created_by bigint,
  created_at timestamptz not null default now(),
  unique (enterprise_id, id),
  constraint posting_number unique (enterprise_id, book_id, number),
  constraint posting_once unique (enterprise_id, request_key)
);
create index posting_of_enterprise on weft.posting (enterprise_id, id desc);
create index posting_newest on weft.posting (created_at desc, id desc);
create index posting_by_book on weft.posting (book_id);
call weft.tenant_table('posting', 'enterprise_id', 'created_by');

create table weft.entry (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null,
  posting_id bigint not null,
  -- credit: what the enterprise may use. received: from outside. income: earned by the book's owner.
  -- carried: to or from another book.
  account text not null check (account in ('credit', 'received', 'income', 'carried')),
  -- Of one posting they add up to zero.
  amount bigint not null check (amount <> 0 and abs(amount) <= 100000000000000),
  foreign key (enterprise_id, posting_id) references weft.posting (enterprise_id, id)
);
create index entry_of_posting on weft.entry (posting_id);
create index entry_by_account on weft.entry (enterprise_id, account) include (amount);
call weft.tenant_table('entry');

-- Nobody gives credit in a book that is not in the own scope: an agent cannot recharge itself.
drop policy in_scope on weft.posting;
create policy in_scope on weft.posting for select to weft_api
  using (enterprise_id = any ((select weft.scope_enterprises())::bigint[])
    and (not (select weft.own_only()) or created_by = (select weft.user_id())));
create policy in_book on weft.posting for insert to weft_api
  with check (enterprise_id = any ((select weft.scope_enterprises())::bigint[])
    and book_id = any ((select weft.scope_enterprises())::bigint[])
    and created_by = (select weft.user_id()));
revoke update, delete, truncate on weft.posting, weft.entry from weft_api, weft_api_all, weft_worker;

create trigger append_only before update or delete or truncate on weft.posting
  for each statement execute function weft.refuse_rewriting();
create trigger append_only before update or delete or truncate on weft.entry
  for each statement execute function weft.refuse_rewriting();

-- A posting follows the one before it, in the book of its seller, and within the limit. Definer: a
-- person whose scope is own data does not see the postings of others, whose sum counts all the same.
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
