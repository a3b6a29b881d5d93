/** What devices report of paths, from the message to the call and to the health of the device. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { linkList } from "@weft/contract/domains/overlay/link.ts";
import { linkMoveList, linkPathList } from "@weft/contract/domains/overlay/link-path.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { createChangeReader } from "#domains/delivery/publish/read-changes.ts";
import { renewHealth } from "#domains/monitoring/health/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { keepMoves, keepPaths } from "./public.ts";

let api: TestApi;
let home: Tenant;
let other: Tenant;
let popId: number;
let cpeId: number;
const links: number[] = [];

const add = async (path: string, name: Parameters<typeof wireDraft>[0], replaced: object) =>
  newIdOf(await api.post(path, wireDraft(name, "valid", home.ids, replaced), home.token));
const run = (query: ReturnType<typeof sql>) =>
  inScope(api.database.pools.apiAll, { kind: "all" }, (trx) => query.execute(trx));
const list = async ({ path }: { readonly path: string }, query: object = {}, tenant = home) =>
  (await api.get(path, { page: 1, limit: 100, ...query }, tenant.token)) as unknown as {
    readonly data: Record<string, unknown>[];
    readonly count: number;
  };

beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  popId = await add(pop.ops.add.path, "pop", { name: "POP-1", sn: "POP-1" });
  const isPop = {
    slot: 1,
    interfaceName: "wan1",
    reachable: 1,
    isp: "telecom",
    ip: "198.51.100.2/24",
  };
  await add(line.ops.add.path, "line", { nodeId: popId, ...isPop });
  cpeId = await add(cpe.ops.add.path, "cpe", { alias: "a", sn: "sn-a" });
  for (const slot of [1, 2]) {
    const ip = `198.51.${100 + slot}.10/24`;
    await add(line.ops.add.path, "line", {
      nodeId: cpeId,
      slot,
      interfaceName: `wan${slot}`,
      isp: "telecom",
      reachable: 0,
      ip,
    });
  }
  await add(netSpace.ops.add.path, "netSpace", {
    name: "net",
    topology: 0,
    popIds: String(popId),
    cpeIds: String(cpeId),
  });
  for (const node of [popId, cpeId]) {
    const key = Buffer.from(`k${node}`.padEnd(32, ".")).toString("base64");
    await run(sql`insert into node_status (node_id, enterprise_id, tunnel_key, online, last_seen)
      select id, enterprise_id, ${key}, true, now() from node where id = ${node}`);
  }
  await run(sql`insert into change (enterprise_id, node_ids, cause, created_by)
    values (${home.ids.groupid}, ${[popId, cpeId]}::bigint[], 'test', 1)`);
  const reader = createChangeReader(api.database.pools, pino({ level: "silent" }));
  while ((await reader.run()) > 0);
  const { data } = await list(linkList);
  links.push(...data.map(({ id }) => Number(id)).sort((a, b) => a - b));
}, 120_000);
afterAll(() => api.close());

const good = { lossPercent: 0, rttMs: 20, jitterMs: 1 };
const bad = { lossPercent: 6.5, rttMs: 22, jitterMs: 2 };
const path = (link: number, change: object = {}) => ({
  link,
  state: "ok" as const,
  used: true,
  left: false,
  ...good,
  ...change,
});
const move = (sequence: number, change: object = {}) => ({
  boot: "A".repeat(22),
  sequence,
  from: links[0] ?? 0,
  to: links[1] ?? 0,
  ago: 5_000,
  reason: "loss" as const,
  fromQuality: bad,
  toQuality: good,
  ...change,
});
const pools = () => api.database.pools;

test("endpoints:linkPath.list each end's direction is shown by itself, the bad ones first", async () => {
  const [one = 0, two = 0] = links;
  const away = { state: "brownout" as const, used: false, left: true, ...bad };
  await keepPaths(pools(), [{ node: cpeId, items: [path(one, away), path(two)] }], {});
  await keepPaths(pools(), [{ node: popId, items: [path(one)] }], {});
  const { data, count } = await list(linkPathList, { linkId: one });
  expect(count).toBe(2);
  expect(data).toMatchObject([
    { nodeId: cpeId, state: "brownout", used: 0, left: 1, loss: 6.5, delay: 22, jitter: 2 },
    { nodeId: popId, state: "ok", used: 1, left: 0, loss: 0 },
  ]);
  expect((await list(linkPathList, { nodeId: cpeId })).count).toBe(3);
  expect((await list(linkPathList, {}, other)).count).toBe(0);
});

test("a state that stays keeps the time since when it has been so", async () => {
  const [one = 0] = links;
  const since = async () =>
    (await list(linkPathList, { linkId: one })).data.find(({ nodeId }) => nodeId === cpeId)?.since;
  await run(sql`update link_path set changed_at = '2026-01-01' where node_id = ${cpeId}`);
  const worse = path(one, { state: "brownout", ...bad, lossPercent: 9 });
  await keepPaths(pools(), [{ node: cpeId, items: [worse] }], {});
  expect(String(await since())).toContain("2026-01-01");
});

test("links of others are passed over", async () => {
  const stranger = newIdOf(
    await api.post(
      cpe.ops.add.path,
      wireDraft("cpe", "valid", other.ids, { alias: "x", sn: "sn-x" }),
      other.token,
    ),
  );
  const [one = 0] = links;
  await keepPaths(pools(), [{ node: stranger, items: [path(one)] }], {});
  await keepMoves(pools(), { node: stranger }, { type: "moves", items: [move(1)] });
  expect((await list(linkPathList, { linkId: one })).count).toBe(2);
  expect((await list(linkMoveList)).count).toBe(0);
});

test("endpoints:linkMove.list a move is kept once, with its reason and both qualities", async () => {
  const [one = 0, two = 0] = links;
  const items = [move(1), move(2, { from: two, to: one, reason: "returned", ago: 0 })];
  for (const _ of [1, 2]) await keepMoves(pools(), { node: cpeId }, { type: "moves", items });
  const { data, count } = await list(linkMoveList, { nodeId: cpeId });
  expect(count).toBe(2);
  expect(data).toMatchObject([
    { nodeId: cpeId, fromId: two, toId: one, reason: "returned" },
    { fromId: one, toId: two, reason: "loss", from: { loss: 6.5, delay: 22 }, to: { loss: 0 } },
  ]);
  expect(data[1]?.fromName).toContain("wan");
  expect((await list(linkMoveList, { linkId: two })).count).toBe(2);
  expect((await list(linkMoveList, {}, other)).count).toBe(0);
});

test("of a device the newest moves are kept", async () => {
  const items = Array.from({ length: 100 }, (_, at) => move(100 + at));
  for (let round = 0; round < 6; round += 1) {
    const boot = `${round}`.padEnd(22, "B");
    const named = items.map((item) => ({ ...item, boot }));
    await keepMoves(pools(), { node: cpeId }, { type: "moves", items: named });
  }
  expect((await list(linkMoveList)).count).toBe(500);
});

test("a direction that is bad makes the device one with a poor link, whatever the mean of both is", async () => {
  const [one = 0, two = 0] = links;
  for (const link of links)
    await run(sql`insert into link_status (link_id, enterprise_id, up, rtt_ms, loss_percent)
      values (${link}, ${home.ids.groupid}, true, 20, 1)`);
  await run(sql`insert into node_identity (enterprise_id, node_id, sn, public_key, state, address)
    select enterprise_id, id, sn, 'k', 'approved', '192.0.2.9' from node where id = ${cpeId}`);
  const health = async () => {
    await inScope(
      pools().worker,
      { kind: "enterprises", ids: [], userId: null, ownOnly: false },
      (trx) => renewHealth(trx, [cpeId]),
    );
    const { data } = await list(cpe.ops.list, { limit: 10 });
    return data.find(({ id }) => id === cpeId);
  };
  await keepPaths(pools(), [{ node: cpeId, items: [path(one), path(two)] }], {});
  expect((await health())?.health).not.toBe("poor");
  const hurt = path(one, { state: "brownout", ...bad });
  await keepPaths(pools(), [{ node: cpeId, items: [hurt] }], {});
  expect((await health())?.health).not.toBe("poor");
  // It lasts.
  await run(
    sql`update link_path set changed_at = now() - interval '3 minutes' where link_id = ${one}`,
  );
  expect(await health()).toMatchObject({
    health: "poor",
    healthDetail: {
      count: 1,
      of: 2,
      name: "wan1",
      excess: { metric: "loss", value: 6.5, limit: 1 },
    },
  });
});

test("classes are shown with the time since when they go by the link, and moves with their class", async () => {
  const [one = 0] = links;
  const report = (classes?: ("realtime" | "bulk")[]) =>
    keepPaths(pools(), [{ node: cpeId, items: [path(one, classes ? { classes } : {})] }], {});
  const shown = async () =>
    (await list(linkPathList, { linkId: one })).data.find(({ nodeId }) => nodeId === cpeId)
      ?.classes as { readonly name: string; readonly since: string }[] | null;
  await report();
  expect(await shown()).toBeNull();
  await report(["bulk"]);
  await run(sql`update link_path set classes = '{"bulk": "2026-01-01T00:00:00Z"}'
    where link_id = ${one} and node_id = ${cpeId}`);
  await report(["realtime", "bulk"]);
  expect(await shown()).toMatchObject([
    { name: "realtime", since: expect.stringMatching(/^2/) },
    { name: "bulk", since: "2026-01-01 00:00:00" },
  ]);
  await report([]);
  expect(await shown()).toEqual([]);
  await keepMoves(
    pools(),
    { node: cpeId },
    { type: "moves", items: [move(900, { boot: "C".repeat(22), trafficClass: "realtime" })] },
  );
  const { data } = await list(linkMoveList, { nodeId: cpeId });
  expect(data[0]).toMatchObject({ trafficClass: "realtime", reason: "loss" });
  await run(sql`delete from link_move`);
});
