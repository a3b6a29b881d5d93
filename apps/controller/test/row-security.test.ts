/**
 * Row-level security by itself, without the conditions that the API's own statements add: in the scope of one enterprise
 * no row of another is read, changed or removed, whichever table it is in (docs/adr/0004-tenancy.md, specification section 6).
 */
import { sql, type Transaction } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type TestApi, testApi } from "./api.ts";
import { makeRows, type Rows } from "./matrix-rows.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let api: TestApi;
let home: number;
let stranger: number;
let strangersRows: Rows;

beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  const addEnterprise = async (name: string): Promise<number> => {
    const draft = wireDraft("enterprise", "valid", { groupid: 1, cpeId: 0, popId: 0 }, { name });
    return newIdOf(await api.post("/customer/enterprise/add", draft, admin));
  };
  home = await addEnterprise("home");
  stranger = await addEnterprise("stranger");
  strangersRows = await makeRows(api, [admin], stranger, "stranger");
}, 240_000);
afterAll(() => api.close());

/** Thrown to take back what a statement did. */
class TakenBack extends Error {}

type Outcome = number | "refused";

/** Rows that a statement reached in the scope of `home`; "refused": the role may not do it to any row. Nothing of it stays. */
async function reached(
  statement: (trx: Transaction<Database>) => Promise<number>,
): Promise<Outcome> {
  let count = 0;
  const scope = { kind: "enterprises", ids: [home], userId: 1, ownOnly: false } as const;
  try {
    await inScope(api.database.pools.api, scope, async (trx) => {
      count = await statement(trx);
      throw new TakenBack();
    });
  } catch (error) {
    if (error instanceof TakenBack) return count;
    // insufficient_privilege; also what triggers of tables that are only appended to raise
    if ((error as { code?: string }).code === "42501") return "refused";
    throw error;
  }
  return count;
}

/** Tables by the column that says whose a row is, with the value of the stranger's rows. */
async function tables(): Promise<{ name: string; column: string; values: readonly number[] }[]> {
  const { rows } = await sql<{ name: string; column: string }>`
    select distinct on (c.relname) c.relname as name, a.attname as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'weft'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (a.attname in ('enterprise_id', 'node_id') or c.relname = 'enterprise' and a.attname = 'id')
    order by c.relname, a.attname <> 'id', a.attname <> 'enterprise_id'`.execute(
    api.database.pools.owner.db,
  );
  const nodes = [strangersRows.cpe, strangersRows.pop];
  return rows.map((row) => ({ ...row, values: row.column === "node_id" ? nodes : [stranger] }));
}

const rowsOfStranger = async (name: string, column: string, values: readonly number[]) => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(`weft.${name}`)}
    where ${sql.ref(column)} = any (${values}::bigint[])`.execute(api.database.pools.owner.db);
  return rows[0]?.n ?? 0;
};

/** What statements in the scope of `home` reach of the stranger's rows, and in how many tables there are some. */
async function leaks(): Promise<{ found: string[]; tables: number }> {
  const found: string[] = [];
  let count = 0;
  for (const { name, column, values } of await tables()) {
    if ((await rowsOfStranger(name, column, values)) === 0) continue;
    count += 1;
    const table = sql.table(`weft.${name}`);
    const key = sql.ref(column);
    const ofStranger = sql`${key} = any (${values}::bigint[])`;
    const statements = {
      read: sql`select 1 from ${table} where ${ofStranger}`,
      changed: sql`update ${table} set ${key} = ${key} where ${ofStranger}`,
      removed: sql`delete from ${table} where ${ofStranger}`,
    };
    for (const [what, statement] of Object.entries(statements)) {
      const outcome = await reached(async (trx) => {
        const { rows, numAffectedRows } = await statement.execute(trx);
        return what === "read" ? rows.length : Number(numAffectedRows);
      });
      if (outcome !== 0 && outcome !== "refused") found.push(`${name}: ${what}`);
    }
  }
  return { found, tables: count };
}

test("in the scope of one enterprise no row of another one is read, changed or removed", async () => {
  const { found, tables } = await leaks();
  expect(found).toEqual([]);
  expect(tables).toBeGreaterThan(80);
});

test("a policy without a condition is found", async () => {
  const { api: scoped, owner } = api.database.pools;
  const role = sql.ref(scoped.name);
  await sql`create policy planted on weft.cug for select to ${role} using (true)`.execute(owner.db);
  try {
    expect((await leaks()).found).toEqual(["cug: read"]);
  } finally {
    await sql`drop policy planted on weft.cug`.execute(owner.db);
  }
});

test("of the policies of the role of calls only that of the installation's own row has no condition", async () => {
  const { api: scoped, owner } = api.database.pools;
  const { rows } = await sql<{ name: string }>`
    select tablename || ': ' || policyname as name from pg_policies
    where schemaname = 'weft' and permissive = 'PERMISSIVE' and (${scoped.name}::name = any (roles) or 'public' = any (roles))
      and (qual = 'true' or with_check = 'true')
    order by 1`.execute(owner.db);
  expect(rows.map(({ name }) => name)).toEqual(["installation: readable"]);
});

/** How often the POPs that an agent may use are looked for while `home` reads this, counted by PostgreSQL. */
const searchesOfOffers = (text: string): Promise<number> =>
  withClient(api.database.url, async (client) => {
    await client.query("begin");
    await client.query("set local track_functions = 'all'");
    await client.query(`set local role ${client.escapeIdentifier(api.database.pools.api.name)}`);
    await client.query(`set local weft.scope = '{${home}}'`);
    await client.query(text);
    await client.query("reset role");
    const { rows } = await client.query<{ calls: string }>(
      "select calls from pg_stat_xact_user_functions where funcname = 'offered_pops'",
    );
    await client.query("rollback");
    return Number(rows[0]?.calls ?? 0);
  });

test("the caller's own rows are read without a search for what others share or offer", async () => {
  const admin = await api.logIn("admin");
  const rows = await makeRows(api, [admin], home, "home");
  for (const [table, node] of [
    ["node", "id"],
    ["line", "node_id"],
    ["node_status", "node_id"],
  ] as const) {
    const read = (id: number) => `select * from weft.${table} where ${node} = ${id}`;
    for (const id of [rows.cpe, rows.pop])
      expect([table, id, await searchesOfOffers(read(id))]).toEqual([table, id, 0]);
    // Of another enterprise's POP it has to be known.
    const [found] = await withClient(
      api.database.url,
      async (client) => (await client.query(read(strangersRows.pop))).rows,
    );
    expect([table, await searchesOfOffers(read(strangersRows.pop))]).toEqual([
      table,
      found ? 1 : 0,
    ]);
  }
});

test("on all tables the policy of the caller's own rows is evaluated before others, which PostgreSQL decides by their names", async () => {
  const { api: scoped, owner } = api.database.pools;
  const { rows } = await sql<{ name: string }>`
    select p.tablename || ': ' || p.policyname as name from pg_policies p
    where p.schemaname = 'weft' and p.permissive = 'PERMISSIVE' and p.cmd in ('ALL', 'SELECT')
      and ${scoped.name}::name = any (p.roles) and p.policyname > 'in_scope'
      and exists (select from pg_policies o where o.schemaname = p.schemaname and o.tablename = p.tablename
        and o.policyname = 'in_scope' and ${scoped.name}::name = any (o.roles))`.execute(owner.db);
  expect(rows).toEqual([]);
});
