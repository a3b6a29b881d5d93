/** More calls at once than a pool has connections: each needs one, and none waits for another's. */

import { crc32 } from "node:zlib";
import { everySession } from "@weft/contract/access.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import { endpoint, nothing } from "@weft/contract/kernel/endpoint.ts";
import { downloadPath } from "@weft/contract/kernel/sheet.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  failNested,
  NestedConnectionError,
  ownWork,
  reportNestedOnce,
} from "#db/one-connection.ts";
import { inScope, openPools, poolKeys, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { mount } from "#kernel/mount.ts";
import { type Answer, type TestApi, testApi } from "./api.ts";
import { acceptedCalls } from "./matrix.ts";
import { makeRows } from "./matrix-rows.ts";

const planted = endpoint({
  id: "t.nested",
  method: "GET",
  path: "/customer/t/nested",
  input: z.object({}),
  output: nothing,
  may: everySession("a test"),
});

/** Of each pool. */
const connections = 1;
/** Some thousand calls, on a machine that may be busy. */
const patience = 600_000;

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi((app) =>
    mount(app, planted, async () => {
      await sql`select 1`.execute(app.weft.pools.worker.db);
      return null;
    }),
  );
  admin = await api.logIn("admin");
  // What asks for a second connection of its pool never gets one.
  for (const key of poolKeys) api.database.pools[key].pg.options.max = connections;
}, 60_000);
afterAll(() => api.close());

/** Calls that need something besides their own transaction; the tenant matrix makes every call, one at a time. */
const tookTwo =
  /^(live\.|cpe\.reboot|cpe\.batch|effectivePolicy\.|nodeState\.|routerTemplate\.\w*[pP]review|account\.client|installation\.)|\.(export|template|import)$/;
const share = 10;
const isIncluded = (id: string): boolean => tookTwo.test(id) || crc32(id) % share === 0;

const failed: readonly number[] = [errorNumbers.internal, errorNumbers.unavailable];

const together = (call: () => Promise<Answer>): Promise<readonly Answer[]> =>
  Promise.all(Array.from({ length: connections + 1 }, call));

/** What became of calls that were made at once; empty: all of them were answered. */
const unanswered = (id: string, answers: readonly Answer[]): readonly string[] =>
  answers
    .filter(({ code }) => failed.includes(code))
    .map(({ code, msg, bug }) => `${id}: ${code} ${msg} ${bug ?? ""}`);

describe("one more call at once than a pool has connections", () => {
  test("is answered at all that took a second one before, and at a share of all others", {
    timeout: patience,
  }, async () => {
    const token = await api.userToken({ enterpriseId: 1, dataScope: 3, roleType: 0 });
    const own = await makeRows(api, [token, admin], 1, "own");
    const problems: string[] = [];
    let done = 0;
    for (const { endpoint: one, input } of acceptedCalls(api, own)) {
      if (one === planted || !isIncluded(one.id)) continue;
      const { method, path, id } = one;
      const call = () =>
        method === "GET" ? api.get(path, input, token) : api.post(path, input, token);
      const answers = await together(call);
      const found = unanswered(id, answers);
      // Charts are not available here, to a single call either.
      const isAbsent = found.length > 0 && (await call()).code === errorNumbers.unavailable;
      if (!isAbsent) problems.push(...found);
      done += answers.filter(({ code }) => code === one.successCode).length;
    }
    expect(problems).toEqual([]);
    // They do not all stop at the entry.
    expect(done).toBeGreaterThan(60);
  });

  test("is answered when a file is fetched", async () => {
    const tickets = await together(() => api.get("/customer/loginRecord/export", {}, admin));
    expect(unanswered("loginRecord.export", tickets)).toEqual([]);
    const files = await Promise.all(
      tickets.map(({ data }) =>
        api.app.inject({
          method: "GET",
          url: downloadPath,
          query: { ticket: (data as { ticket: string }).ticket },
        }),
      ),
    );
    expect(files.map(({ statusCode }) => statusCode)).toEqual(files.map(() => 200));
  });

  test("is answered while all other connections of the whole tree are in use", async () => {
    const { apiAll } = api.database.pools;
    const token = await api.userToken({ enterpriseId: 1, dataScope: 1 });
    const held = Array.from({ length: apiAll.pg.options.max }, () => apiAll.pg.connect());
    const clients = await Promise.all(held);
    try {
      expect(await api.logIn("admin")).toMatch(/^[\w-]+$/);
      expect(await api.get("/customer/loginRecord/list", {}, token)).toMatchObject({ code: 0 });
    } finally {
      for (const client of clients) client.release();
    }
  });
});

describe("work that takes a second connection while it holds one", () => {
  const whole = { kind: "all" } as const;

  test("fails, in a call too", async () => {
    const { pools } = api.database;
    const nested = (work: () => Promise<unknown>) => scopedRead(pools.apiAll, whole, work);
    const select = () => sql`select 1`.execute(pools.worker.db);
    await expect(nested(select)).rejects.toThrow(NestedConnectionError);
    await expect(nested(() => pools.apiAll.pg.query("select 1"))).rejects.toThrow(
      NestedConnectionError,
    );
    await expect(nested(() => inScope(pools.apiAll, whole, async () => null))).rejects.toThrow(
      NestedConnectionError,
    );
    await expect(
      pools.worker.db.connection().execute(() => pools.worker.db.transaction().execute(select)),
    ).rejects.toThrow(NestedConnectionError);
    await expect(pools.owner.db.transaction().execute(select)).rejects.toThrow(
      NestedConnectionError,
    );
    const answer = await api.get(planted.path, {}, admin);
    expect(answer).toMatchObject({ code: errorNumbers.internal });
    expect(answer.bug).toContain("asks for another one of worker");
  });

  test("does not when it acquires one after the first was released, or begins work of its own", async () => {
    const { pools } = api.database;
    const select = () => sql`select 1`.execute(pools.worker.db);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let later: Promise<unknown> = Promise.resolve();
    await scopedRead(pools.apiAll, whole, async () => {
      later = over.then(select);
      await ownWork(select);
    });
    end();
    await expect(later).resolves.toBeDefined();
  });

  test("continues where the rule only reports, each place once", async () => {
    const found: NestedConnectionError[] = [];
    const nested = reportNestedOnce((error) => found.push(error));
    const pools = await openPools<Database>(api.database.url, { max: 2, nested });
    const select = () => sql`select 1`.execute(pools.worker.db);
    await select();
    for (let turn = 0; turn < 3; turn += 1) await scopedRead(pools.apiAll, whole, select);
    await pools.end();
    expect(found.map(({ message }) => message)).toEqual([
      "work that holds a connection of the pool apiAll asks for another one of worker",
    ]);
    expect(() => failNested(new NestedConnectionError("api", "api"))).toThrow(
      NestedConnectionError,
    );
  });
});
