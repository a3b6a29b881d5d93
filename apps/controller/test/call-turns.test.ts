/** Calls and downloads of one user that take all that they get, while others ask for something. */
import { type ClientRequest, request } from "node:http";
import type { AddressInfo } from "node:net";
import { everySession } from "@weft/contract/access.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import { endpoint, nothing, readsMetrics } from "@weft/contract/kernel/endpoint.ts";
import { downloadPath, exportAnswer, exportFields } from "@weft/contract/kernel/sheet.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { mount, mountWithMetrics } from "#kernel/mount.ts";
import type { MeasureStore } from "#metrics-store/store.ts";
import { mountFile } from "#transfer/mount-file.ts";
import { type TestApi, testApi } from "./api.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

const declared = {
  method: "GET",
  input: z.object({}),
  output: nothing,
  may: everySession("a test"),
} as const;
const slow = endpoint({ ...declared, id: "t.slow", path: "/customer/t/slow" });
const quick = endpoint({ ...declared, id: "t.quick", path: "/customer/t/quick" });
const file = endpoint({
  ...declared,
  id: "t.file",
  path: "/customer/t/file",
  input: z.object({ ...exportFields, slow: z.string() }),
  output: exportAnswer,
});

const chart = readsMetrics(endpoint({ ...declared, id: "t.chart", path: "/customer/t/chart" }));

const write = endpoint({ ...declared, id: "t.write", path: "/customer/t/write", method: "POST" });

const poll = { timeout: 30_000, interval: 20 };

/** Calls that hold a connection now, and what ends them. */
const held: (() => void)[] = [];
const endAll = (): void => {
  for (const end of held.splice(0)) end();
};

const hold = (): Promise<null> => {
  const { promise, resolve } = Promise.withResolvers<null>();
  held.push(() => resolve(null));
  return promise;
};
async function* rowsOf(isSlow: boolean) {
  if (isSlow) await hold();
  yield [["1"]];
}

/** A store of metrics that answers nothing. */
const hanging = { describe: hold } as unknown as MeasureStore;

/** What came from sockets: how many calls, and how many of them left. */
const seen = { calls: 0, gone: 0 };
/** Work of calls that was done. */
const done: string[] = [];

let api: TestApi;
let port = 0;
beforeAll(async () => {
  api = await testApi(
    (app) => {
      app.addHook("onRequest", async ({ headers }, { raw }) => {
        if (headers["user-agent"] !== "socket") return;
        seen.calls += 1;
        raw.once("close", () => {
          if (!raw.writableFinished) seen.gone += 1;
        });
      });
      mount(app, slow, hold);
      mount(app, quick, async (_, { caller: { userAgent } }) => {
        done.push(userAgent);
        return null;
      });
      mount(
        app,
        write,
        async (_, { db }) => {
          await hold();
          await sql`select 1`.execute(db);
          done.push("write");
          return null;
        },
        { unaudited: "a test" },
      );
      mountWithMetrics(app, chart, async (_, { metrics }) => {
        await metrics.store?.describe();
        return null;
      });
      mountFile(app, file, {
        describe: async () => ({ title: ["文件", "file"], rows: 1, resource: null }),
        content: async (input) => ({ titles: ["a"], batches: rowsOf(input.slow === "1") }),
      });
    },
    undefined,
    hanging,
  );
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  port = (api.app.server.address() as AddressInfo).port;
}, 60_000);
afterEach(endAll);
afterAll(() => api.close());

/**
 * Sends more slow calls than a pool has connections.
 * @param calls of each user
 * @param atLeast that have to be under way
 * @returns ends them, with what each was answered
 */
async function flood(
  tokens: readonly string[],
  { calls, atLeast }: { readonly calls: number; readonly atLeast: number },
): Promise<() => Promise<number[]>> {
  const pending = tokens.flatMap((token) =>
    Array.from({ length: calls }, () => api.get(slow.path, {}, token)),
  );
  const answers = Promise.all(pending);
  await expect.poll(() => held.length, poll).toBeGreaterThanOrEqual(atLeast);
  return async () => {
    const ending = setInterval(endAll, 5);
    try {
      return (await answers).map(({ code }) => code);
    } finally {
      clearInterval(ending);
    }
  };
}

/** What waited was answered in the end; on a busy machine some may have waited for too long. */
const expectServed = (codes: readonly number[]): void => {
  expect(codes).toContain(0);
  expect(codes.filter((code) => code !== 0 && code !== errorNumbers.unavailable)).toEqual([]);
};

async function addEnterprise(name: string): Promise<number> {
  const place = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", place, { name, parentId: 1 });
  return newIdOf(await api.post("/customer/enterprise/add", draft, await api.logIn("admin")));
}

for (const [what, dataScope, pool] of [
  ["of an enterprise", 1, "api"],
  ["of the whole tree", 3, "apiAll"],
] as const) {
  const user = (roleType: number) => ({ enterpriseId: 1, dataScope, roleType });
  const roleType = dataScope === 3 ? 0 : 2;

  test(`calls of one user ${what} that take long keep no other user waiting`, async () => {
    const [loud, other] = [
      await api.userToken(user(roleType)),
      await api.userToken(user(roleType)),
    ];
    const end = await flood([loud], { calls: 40, atLeast: 1 });
    expect(await api.get(quick.path, {}, other)).toMatchObject({ code: 0 });
    expect(held.length).toBeLessThan(api.database.pools[pool].pg.options.max);
    // What the process asks of the same pool, such as whether the database answers, waits for none of them.
    await sql`select 1`.execute(api.database.pools[pool].db);
    expectServed(await end());
  });
}

test("calls of all users of an enterprise leave connections to others", async () => {
  const enterpriseId = await addEnterprise("another");
  const loud = [];
  for (let n = 0; n < 4; n += 1) loud.push(await api.userToken({ enterpriseId: 1, dataScope: 1 }));
  const other = await api.userToken({ enterpriseId, dataScope: 1 });
  const end = await flood(loud, { calls: 20, atLeast: 2 });
  expect(await api.get(quick.path, {}, other)).toMatchObject({ code: 0 });
  expectServed(await end());
});

test("calls that no user has at once are refused, and the next ones are answered", async () => {
  const loud = await api.userToken({ enterpriseId: 1, dataScope: 1 });
  const end = await flood([loud], { calls: 400, atLeast: 1 });
  const codes = await end();
  expect(new Set(codes)).toEqual(new Set([0, errorNumbers.unavailable]));
  expect(await api.get(quick.path, {}, loud)).toMatchObject({ code: 0 });
});

test("files that one user fetches keep no other user from fetching one", async () => {
  const [loud, other] = [
    await api.userToken({ enterpriseId: 1, dataScope: 1 }),
    await api.userToken({ enterpriseId: 1, dataScope: 1 }),
  ];
  const ticketOf = async (token: string, isSlow: boolean): Promise<string> => {
    const answer = await api.get(file.path, { format: "csv", slow: isSlow ? "1" : "0" }, token);
    return (answer.data as { ticket: string }).ticket;
  };
  const fetchFile = async (ticket: string): Promise<number> =>
    (await api.app.inject({ method: "GET", url: downloadPath, query: { ticket } })).statusCode;
  const tickets: string[] = [];
  for (let n = 0; n < 24; n += 1) tickets.push(await ticketOf(loud, true));
  const slowOnes = Promise.all(tickets.map(fetchFile));
  await expect.poll(() => held.length, poll).toBeGreaterThanOrEqual(1);
  expect(await fetchFile(await ticketOf(other, false))).toBe(200);
  const ending = setInterval(endAll, 5);
  const codes = await slowOnes.finally(() => clearInterval(ending));
  // Those that found no place were refused.
  expect(codes.toSorted((a, b) => a - b).slice(0, 8)).toEqual(Array(8).fill(200));
  expect(new Set(codes).size).toBe(2);
});

test("charts of all enterprises leave connections to other calls while the store of metrics does not answer", async () => {
  const tokens: string[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    tokens.push(await api.userToken({ enterpriseId: await addEnterprise(name), dataScope: 1 }));
  }
  // From now on they are known to the process: their calls come in the order in which they are sent.
  for (const token of tokens) await api.get(quick.path, {}, token);
  const other = tokens.pop() ?? "";
  const open = (token = "") => api.get(chart.path, {}, token);
  // The first ones since the start of the process: what they ask for is known nevertheless.
  const charts = tokens.flatMap((token) => Array.from({ length: 20 }, () => open(token)));
  await expect.poll(() => held.length, poll).toBeGreaterThan(0);
  expect(await api.get(quick.path, {}, other)).toMatchObject({ code: 0 });
  const ending = setInterval(endAll, 5);
  const answers = await Promise.all(charts).finally(() => clearInterval(ending));
  expectServed(answers.map(({ code }) => code));
});

/** Makes a call from a socket of its own, whose answer nobody waits for. */
function callFrom(path: string, token: string, method = "GET"): ClientRequest {
  const headers = { authorization: token, "user-agent": "socket" };
  const call = request({ host: "127.0.0.1", port, path, method, headers, agent: false });
  // It is destroyed.
  call.on("error", () => undefined);
  call.end();
  return call;
}

/** Has the clients of calls go, and waits until the server knows. */
async function leave(calls: readonly ClientRequest[]): Promise<void> {
  const before = seen.gone;
  for (const call of calls) call.destroy();
  await expect.poll(() => seen.gone, poll).toBe(before + calls.length);
}

const usedOf = (key: "api" | "apiAll"): number => {
  const { totalCount, idleCount } = api.database.pools[key].pg;
  return totalCount - idleCount;
};

test("a call whose client left while it waited is not made, and takes no place of its user", async () => {
  const token = await api.userToken({ enterpriseId: 1, dataScope: 1 });
  await api.get(quick.path, {}, token);
  const end = await flood([token], { calls: 40, atLeast: 1 });
  done.length = 0;
  const before = seen.calls;
  const calls = Array.from({ length: 12 }, () => callFrom(quick.path, token));
  await expect.poll(() => seen.calls, poll).toBe(before + calls.length);
  await leave(calls);
  // It comes after them, and is answered after all that wait.
  const last = api.get(quick.path, {}, token);
  expectServed(await end());
  expect(await last).toMatchObject({ code: 0 });
  expect(done).not.toContain("socket");
  expect(done).toHaveLength(1);
});

test("a call that reads gives its connection back when its client leaves, whatever it waits for", async () => {
  const token = await api.userToken({ enterpriseId: 1, dataScope: 1 });
  const calls = [callFrom(chart.path, token), callFrom(slow.path, token)];
  await expect.poll(() => held.length, poll).toBe(2);
  expect(usedOf("api")).toBe(2);
  await leave(calls);
  await expect.poll(() => usedOf("api"), poll).toBe(0);
  // Neither the store of metrics nor the other has answered.
  expect(held).toHaveLength(2);
});

test("a file that nobody waits for gives its connection and its turn back, and one that waits is not made", async () => {
  const token = await api.userToken({ enterpriseId: 1, dataScope: 1 });
  const ticketOf = async (slow: string): Promise<string> => {
    const answer = await api.get(file.path, { format: "csv", slow }, token);
    return `${downloadPath}?ticket=${(answer.data as { ticket: string }).ticket}`;
  };
  const first = callFrom(await ticketOf("1"), token);
  await expect.poll(() => held.length, poll).toBe(1);
  const before = seen.calls;
  const second = callFrom(await ticketOf("1"), token);
  await expect.poll(() => seen.calls, poll).toBe(before + 1);
  await leave([first, second]);
  await expect.poll(() => usedOf("api"), poll).toBe(0);
  const url = await ticketOf("0");
  expect((await api.app.inject({ method: "GET", url })).statusCode).toBe(200);
  expect(held).toHaveLength(1);
});

test("a call that has begun to write is finished although its client left", async () => {
  const token = await api.userToken({ enterpriseId: 1, dataScope: 1 });
  done.length = 0;
  const call = callFrom(write.path, token, "POST");
  await expect.poll(() => held.length, poll).toBe(1);
  await leave([call]);
  endAll();
  await expect.poll(() => done, poll).toEqual(["write"]);
  await expect.poll(() => usedOf("api"), poll).toBe(0);
});
