import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { locks } from "#db/locks.ts";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { sealAudit, sealWaiting } from "#jobs/seal-audit.ts";
import { verifyChain } from "./chain.ts";

let database: TestDatabase<Database>;
beforeEach(async () => {
  database = await testDatabase<Database>();
}, 60_000);
afterEach(() => database.drop());

const write = (name: string, more: () => Promise<unknown> = async () => undefined) =>
  inScope(database.pools.apiAll, { kind: "all" }, async (trx) => {
    await sql`insert into audit (enterprise_id, user_id, login_name, action, resource, row_id,
        old_value, new_value, address, request_id)
      values (1, 1, 'admin', 'role.edit', 'role', 7, '{"name": "甲"}',
        ${JSON.stringify({ name })}, '127.0.0.1', 'r1')`.execute(trx);
    await more();
  });
const sealAll = async () => {
  while ((await sealAudit(database.pools)) > 0);
};
const verify = () => verifyChain(database.pools);
/** What a superuser may do to the tables: triggers do not fire for him. */
const tamper = (statement: string) =>
  withClient(database.url, async (client: pg.Client) => {
    await client.query("set session_replication_role = replica; set search_path = weft");
    await client.query(statement);
  });
const idAt = async (place: number): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    select id from audit order by id offset ${place} limit 1`.execute(database.pools.apiAll.db);
  return rows[0]?.id ?? 0;
};

/** Three seals of two rows each. */
async function threeSeals(): Promise<void> {
  for (const name of ["a", "b", "c"]) {
    await write(name);
    await write(`${name}${name}`);
    await sealAll();
  }
  expect(await verify()).toMatchObject({ seals: 3, rows: 6, waiting: 0, broken: null });
}

test("rows that were written since the seal before are one seal, and more than fit into it are one for each full one", async () => {
  expect(await sealWaiting(database.pools)).toBe("nothing");
  for (const name of ["a", "b", "c"]) await write(name);
  expect(await sealWaiting(database.pools)).toBe("all");
  expect(await verify()).toMatchObject({ seals: 1, rows: 3, waiting: 0 });
  await inScope(database.pools.apiAll, { kind: "all" }, (trx) =>
    sql`insert into audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value, address,
        request_id)
      select 1, 1, 'admin', 'role.edit', 'role', 7, '{}', '{}', '127.0.0.1', 'r1' from generate_series(1, 501)`.execute(
      trx,
    ),
  );
  expect(await sealWaiting(database.pools)).toBe("part");
  expect(await sealWaiting(database.pools)).toBe("all");
  expect(await verify()).toMatchObject({ seals: 3, rows: 504, waiting: 0 });
});

describe("the chain over the operation log", () => {
  test("holds after writes and seals side by side, with transactions that end out of order", async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let release: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The lowest id of all, and the last to commit.
    const late = write("late", () => {
      release();
      return held;
    });
    await first;
    let writing = true;
    const sealing = Promise.all(
      [1, 2].map(async () => {
        while (writing) if ((await sealAudit(database.pools)) === 0) await sleep(1);
      }),
    );
    await Promise.all(
      [1, 2].map(async (writer) => {
        for (let n = 0; n < 40; n++) await write(`${writer}.${n}`);
      }),
    );
    writing = false;
    await sealing;
    await sealAll();
    expect(await verify()).toMatchObject({ rows: 80, waiting: 0, broken: null });
    letGo();
    await late;
    expect(await verify()).toMatchObject({ rows: 80, waiting: 1, broken: null });
    await sealAll();
    const report = await verify();
    expect(report).toMatchObject({ rows: 81, waiting: 0, broken: null });
    expect(report.head).toMatch(/^[0-9a-f]{64}$/);
  });

  test("takes no harm from a sealer that is killed in the middle", async () => {
    await write("a");
    await withClient(database.url, async (client) => {
      // As sealAudit begins; the connection ends without COMMIT.
      await client.query("set search_path = weft; begin");
      await client.query("select pg_advisory_xact_lock($1, $2)", [...locks.seals]);
      await client.query("delete from audit_waiting");
      expect(await sealAudit(database.pools)).toBe(0);
    });
    await sealAll();
    expect(await verify()).toMatchObject({ seals: 1, rows: 1, waiting: 0, broken: null });
  });

  test("keeps no role from adding, and every role from rewriting", async () => {
    await threeSeals();
    const { owner, api, apiAll, worker } = database.pools;
    for (const { db, role } of [owner, api, apiAll, worker]) {
      for (const table of ["audit", "audit_seal"]) {
        const name = sql.table(table);
        for (const statement of [
          sql`update ${name} set at = now()`,
          sql`delete from ${name}`,
          sql`truncate ${name}`,
        ]) {
          const refused = statement.execute(db);
          await expect(refused, `${role} ${table}`).rejects.toMatchObject({ code: "42501" });
        }
      }
    }
    const forged = sql`delete from audit_waiting`;
    for (const { db } of [api, apiAll]) {
      await expect(forged.execute(db)).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("a superuser's tampering is found at its first place:", () => {
  test("a changed row", async () => {
    await threeSeals();
    const row = await idAt(2);
    await tamper(`update audit set at = at + interval '1 microsecond' where id = ${row}`);
    expect((await verify()).broken).toEqual({ kind: "rowChanged", seal: 2, row });
  });

  test("another name of the place, and one given to a row from before there were names", async () => {
    await tamper("alter table audit disable trigger describe_audit");
    await write("old");
    await tamper("alter table audit enable trigger describe_audit");
    await write("new");
    await sealAll();
    expect(await verify()).toMatchObject({ seals: 1, rows: 2, broken: null });
    const [old, now] = [await idAt(0), await idAt(1)];
    await tamper(`update audit set about = '{"enterprise": "乙"}' where id = ${now}`);
    expect((await verify()).broken).toEqual({ kind: "rowChanged", seal: 1, row: now });
    await tamper(`update audit set about = '{}' where id = ${old}`);
    expect((await verify()).broken).toEqual({ kind: "rowChanged", seal: 1, row: old });
  });

  test("a row that is filed under another device or kind of action", async () => {
    await threeSeals();
    const row = await idAt(4);
    for (const filed of ["node_id = 1", "template_id = 1", "verb = 'list'"]) {
      await tamper(`update audit set ${filed} where id = ${row}`);
      expect((await verify()).broken).toEqual({ kind: "rowChanged", seal: 3, row });
      await tamper(
        `update audit set node_id = null, template_id = null, verb = 'edit' where id = ${row}`,
      );
      expect((await verify()).broken).toBeNull();
    }
  });

  test("a removed row", async () => {
    await threeSeals();
    const row = await idAt(3);
    await tamper(`delete from audit where id = ${row}`);
    expect((await verify()).broken).toEqual({ kind: "rowRemoved", seal: 2, row });
  });

  test("an inserted row, beside the chain or back in time", async () => {
    await threeSeals();
    const columns = `(enterprise_id, user_id, login_name, action, resource, address, request_id, at)`;
    const values = `(1, 1, 'x', 'x', 'x', '', '', now() - interval '1 day')`;
    await tamper(`insert into audit ${columns} values ${values}`);
    const row = await idAt(6);
    expect((await verify()).broken).toEqual({ kind: "rowInserted", seal: null, row });
    // As the trigger would have done.
    await tamper(`insert into audit_waiting values (${row}, 1)`);
    expect((await verify()).broken).toBeNull();
    await sealAll();
    expect((await verify()).broken).toEqual({ kind: "rowBackdated", seal: 4, row });
  });

  test("a row that is gone before it was sealed", async () => {
    await threeSeals();
    await write("d");
    const row = await idAt(6);
    await tamper(`delete from audit where id = ${row}`);
    await sealAll();
    expect((await verify()).broken).toEqual({ kind: "rowRemoved", seal: null, row });
  });

  test("a changed seal, also one that fits its changed row", async () => {
    await threeSeals();
    const row = await idAt(0);
    await tamper(`update audit set login_name = 'nobody' where id = ${row}`);
    await tamper(`update audit_seal set row_ids = row_ids[2:], row_hashes = row_hashes[2:]
      where number = 1`);
    expect((await verify()).broken).toEqual({ kind: "sealChanged", seal: 1, row: null });
  });

  test("a removed seal, in the middle, moved up, or at the end by what was noted of it", async () => {
    await threeSeals();
    const { seals: seal, head: hash } = await verify();
    await tamper("delete from audit_seal where number = 2");
    expect((await verify()).broken).toEqual({ kind: "sealRemoved", seal: 2, row: null });
    await tamper("update audit_seal set number = 2 where number = 3");
    expect((await verify()).broken).toEqual({ kind: "sealChanged", seal: 2, row: null });
    await tamper("delete from audit_seal where number > 1");
    await tamper(`delete from audit where id > ${await idAt(1)}`);
    expect((await verify()).broken).toBeNull();
    const anchored = await verifyChain(database.pools, { seal, hash });
    expect(anchored.broken).toEqual({ kind: "sealRemoved", seal: 3, row: null });
  });
});
