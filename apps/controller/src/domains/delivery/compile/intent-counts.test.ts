/** A state is made of everything that it should be made of, or it is not made. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { scopedSnapshot } from "#db/pool.ts";
import { type People, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { readView } from "./view.ts";

let all: People;
/** Two members of one space without any link: neither has a WAN link. */
let [own, far] = [0, 0];
const ids = (cpeId: number) => ({ groupid: all.agent, cpeId: cpeId || 1, popId: 1 });
const add = async (path: string, draft: object) =>
  newIdOf(await all.api.post(path, draft, all.admin));
const owner = (text: string) => withClient(all.api.database.url, (client) => client.query(text));

beforeAll(async () => {
  all = await people();
  const cpe = (name: string) =>
    add("/customer/cpe/insertNew", wireDraft("cpe", "valid", ids(0), { sn: name, alias: name }));
  [own, far] = [await cpe("intent-own"), await cpe("intent-far")];
  const at = ids(far);
  const space = { name: "intent", cpeIds: `${own},${far}`, popIds: "" };
  await add("/customer/netSpace/add", wireDraft("netSpace", "valid", ids(0), space));
  const lan = { network: "10.1.1.1/24", network6: "", enableForward: 1 };
  await add("/customer/lansection/add", wireDraft("lansection", "valid", at, lan));
  const route = { nCpeID: far, destination: "10.2.0.0/16", nextHop: "10.1.1.2", announce: 1 };
  await add("/customer/staticroute/add", wireDraft("staticroute", "valid", at, route));
  const notice = { cpeId: far, network: "10.3.0.0/16" };
  await add("/customer/routeNotice/add", wireDraft("routeNotice", "valid", at, notice));
}, 60_000);
afterAll(() => all.api.close());

const nothing = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
const view = () =>
  scopedSnapshot(all.api.database.pools.worker, nothing, (trx) => readView(trx, own));

test.each(["space_member", "lan_section", "static_route", "route_notice"])(
  "rows of %s of a member that the node has no link with are not left out unseen",
  async (table) => {
    const networks = [...((await view())?.spaces?.values() ?? [])].flat();
    expect(networks).toEqual(expect.arrayContaining(["10.1.1.0/24", "10.2.0.0/16", "10.3.0.0/16"]));
    const inScope = "enterprise_id = any ((select weft.scope_enterprises())::bigint[])";
    const readable = (which: string) =>
      owner(`alter policy compiled on weft.${table} using (${which})`);
    await readable(`${inScope} and node_id <> ${far}`);
    try {
      await expect(view()).rejects.toThrow(new RegExp(`not readable.*${table} `));
    } finally {
      await readable(inScope);
    }
  },
);

/** What a function reads with the owner's rights: no policy leaves out a row, and there is nothing to count. */
const readAsOwner = {
  functionName: "enterprise_groups_of",
  tables: ["enterprise", "enterprise_ipgroup", "enterprise_urlgroup"],
};

test("every table that a compile reads is counted", async () => {
  const { rows: asOwner } = await owner(`
    select prosecdef as "isOwners" from pg_proc
    where oid = 'weft.${readAsOwner.functionName}(bigint[])'::regprocedure`);
  expect(asOwner).toEqual([{ isOwners: true }]);
  const { rows: found } = await owner(`
    select pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = 'weft'::regnamespace and p.proname in ('intent_counts', 'intent_counts_whole')`);
  const { rows: counted } = await owner(
    "select name from weft.intent_counts('{}', '{}') order by 1",
  );
  // Without the counts themselves, what the transaction has locked is what it has read.
  for (const name of ["intent_counts", "intent_counts_whole"]) {
    await owner(`create or replace function weft.${name}(these bigint[], those bigint[])
      returns table (name text, n bigint) language sql stable set search_path = weft, pg_temp
      as $$ select 'nothing', 0::bigint $$`);
  }
  try {
    const read = await scopedSnapshot(all.api.database.pools.worker, nothing, async (trx) => {
      await readView(trx, own);
      const { rows } = await sql<{ name: string }>`
        select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
        where l.pid = pg_backend_pid() and c.relkind = 'r'
          and c.relnamespace = 'weft'::regnamespace order by 1`.execute(trx);
      return rows.map(({ name }) => name);
    });
    const expected = [...counted.map(({ name }) => name), ...readAsOwner.tables];
    expect(read).toEqual(expected.toSorted());
  } finally {
    for (const { text } of found) await owner(text);
  }
});

test("the worker's count and the whole one have the same text and share no plan", async () => {
  const bodyOf = async (name: string): Promise<string> => {
    const { rows } = await owner(
      `select prosrc as body from pg_proc where oid = 'weft.${name}(bigint[], bigint[])'::regprocedure`,
    );
    return rows[0].body;
  };
  const [own, whole] = await Promise.all([bodyOf("intent_counts"), bodyOf("intent_counts_whole")]);
  expect(whole).toBe(own);
  // What both call runs as one role, whoever calls it: its plan stays.
  const { rows: called } = await owner(`
    select p.proname as name, p.prosecdef as "isOwners" from pg_proc p
    where p.pronamespace = 'weft'::regnamespace and p.prokind = 'f'
      and (select prosrc from pg_proc where oid = 'weft.intent_counts(bigint[], bigint[])'::regprocedure)
        like '%weft.' || p.proname || '(%'`);
  expect(called).not.toEqual([]);
  expect(called.filter(({ isOwners }) => !isOwners)).toEqual([]);
});
