/** Settings of links, from the call to the state that devices get. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { classLimits } from "@weft/contract/domains/devices/link-quality.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import {
  linkAdd,
  linkEdit,
  linkList,
  linkRemove,
  type linkRow,
} from "@weft/contract/domains/overlay/link.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { inScope } from "#db/pool.ts";
import { compile, readView } from "#domains/delivery/compile/public.ts";
import { createChangeReader } from "#domains/delivery/publish/read-changes.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { keepMeasures, renewLinkQuality } from "./public.ts";

type Row = z.input<typeof linkRow>;

let api: TestApi;
let home: Tenant;
let other: Tenant;
let popId: number;
let spaceId: number;
const cpes: number[] = [];

const add = async (path: string, name: Parameters<typeof wireDraft>[0], replaced: object) =>
  newIdOf(await api.post(path, wireDraft(name, "valid", home.ids, replaced), home.token));
const run = (query: ReturnType<typeof sql>) =>
  inScope(api.database.pools.apiAll, { kind: "all" }, (trx) => query.execute(trx));
/** Everything that the worker does for links. */
const settle = async (): Promise<void> => {
  const reader = createChangeReader(api.database.pools, pino({ level: "silent" }));
  while ((await reader.run()) > 0);
};
const list = async (query: object = {}): Promise<Row[]> => {
  const fields = { netSpaceId: spaceId, page: 1, limit: 100, ...query };
  return (await api.get(linkList.path, fields, home.token)).data as Row[];
};
const workerScope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
/** The state that the node would get now. */
const stateOf = (node: number): Promise<DesiredState> =>
  inScope(api.database.pools.worker, workerScope, async (trx) => {
    const view = await readView(trx, node);
    if (!view) throw new Error(`no node ${node}`);
    return compile(view);
  });
const slotsOf = async (node: number): Promise<number[]> =>
  (await stateOf(node)).tunnels.flatMap(({ links }) => links.map(({ slot }) => slot)).sort();
const preferencesOf = async (node: number): Promise<number[]> =>
  (await stateOf(node)).routings.flatMap(({ neighbors }) =>
    neighbors.map((neighbor) => neighbor.preference),
  );
const settings = { enable: 1, preference: "", remark: "" };

beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  popId = await add(pop.ops.add.path, "pop", { name: "POP-1", sn: "POP-1" });
  const isPop = { slot: 1, reachable: 1, isp: "telecom", ip: "198.51.100.2/24" };
  await add(line.ops.add.path, "line", { nodeId: popId, ...isPop });
  for (const alias of ["a", "b"]) {
    const id = await add(cpe.ops.add.path, "cpe", { alias, sn: `sn-${alias}` });
    cpes.push(id);
    const ip = `198.51.100.${10 + id}/24`;
    await add(line.ops.add.path, "line", { nodeId: id, slot: 1, isp: "telecom", reachable: 1, ip });
  }
  spaceId = await add(netSpace.ops.add.path, "netSpace", {
    name: "net",
    topology: 0,
    popIds: String(popId),
    cpeIds: cpes.join(","),
  });
  for (const node of [popId, ...cpes]) {
    const key = Buffer.from(`k${node}`.padEnd(32, ".")).toString("base64");
    await run(sql`insert into node_status (node_id, enterprise_id, tunnel_key)
      select id, enterprise_id, ${key} from node where id = ${node}`);
  }
  await run(sql`insert into change (enterprise_id, node_ids, cause, created_by)
    values (${home.ids.groupid}, ${[popId, ...cpes]}::bigint[], 'test', 1)`);
  await settle();
}, 120_000);
afterAll(() => api.close());

test("endpoints:link.edit a disabled link is no tunnel on either device, and can be enabled again", async () => {
  const [one = 0] = cpes;
  const [row] = await list({ nodeId: one });
  expect(row).toMatchObject({ made: 0, enable: 1, standing: 1, preference: null });
  const close = await api.post(
    linkEdit.path,
    { id: row?.id, enable: 0, preference: "", remark: "割接" },
    home.token,
  );
  expect(close).toMatchObject({ code: 0 });
  await settle();
  const [closed] = await list({ nodeId: one });
  expect(closed).toMatchObject({ enable: 0, standing: 0, remark: "割接" });
  expect([await slotsOf(one), await slotsOf(popId)]).toEqual([[], [1]]);
  // It is not missing: it needs no attention.
  expect(await list({ nodeId: one, status: 0 })).toEqual([]);
  expect(await api.post(linkEdit.path, { id: closed?.id, ...settings }, home.token)).toMatchObject({
    code: 0,
  });
  await settle();
  expect([await slotsOf(one), await slotsOf(popId)]).toEqual([[1], [1, 1]]);
});

test("endpoints:link.edit a preference reaches both ends, and only this link", async () => {
  const [one = 0, two = 0] = cpes;
  const [row] = await list({ nodeId: one });
  const edit = { id: row?.id, enable: 1, preference: 350, remark: "" };
  expect(await api.post(linkEdit.path, edit, home.token)).toMatchObject({ code: 0 });
  expect(await preferencesOf(one)).toEqual([350]);
  expect((await preferencesOf(popId)).sort()).toEqual([240, 350]);
  expect(await preferencesOf(two)).toEqual([240]);
  expect(await api.post(linkRemove.path, { ids: row?.id }, home.token)).toMatchObject({ code: 0 });
  expect(await preferencesOf(one)).toEqual([240]);
  const answer = await api.post(linkEdit.path, { ...edit, preference: 1_001 }, home.token);
  expect(answer).toMatchObject({ code: 400, issues: [{ path: "preference" }] });
});

test("endpoints:link.add endpoints:link.remove an added link is on both devices until it is removed", async () => {
  const [one = 0, two = 0] = cpes;
  const draft = { netSpaceId: spaceId, sourceId: two, sourceSlot: 1, targetId: one, targetSlot: 1 };
  const made = newIdOf(await api.post(linkAdd.path, { ...draft, ...settings }, home.token));
  expect((await list()).find(({ id }) => id === made)).toMatchObject({ made: 1, standing: 0 });
  await settle();
  const row = (await list()).find((each) => each.made === 1);
  expect(row).toMatchObject({ standing: 1, source: { nodeId: one }, target: { nodeId: two } });
  expect([await slotsOf(one), await slotsOf(two)]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  // A direct path is preferred, as in a full mesh.
  expect((await preferencesOf(one)).sort()).toEqual([240, 300]);
  const again = await api.post(linkAdd.path, { ...draft, ...settings }, home.token);
  expect(again).toMatchObject({ code: 400, issues: [{ path: "targetSlot", rule: "taken" }] });
  // A user who disables it continues with the row on the page, although the link no longer exists.
  const close = { id: row?.id, enable: 0, preference: "", remark: "" };
  expect(await api.post(linkEdit.path, close, home.token)).toMatchObject({ code: 0 });
  await settle();
  const closed = (await list()).find((each) => each.made === 1);
  expect(closed).toMatchObject({ id: row?.id, standing: 0, enable: 0 });
  expect(await api.post(linkRemove.path, { ids: row?.id }, home.token)).toMatchObject({ code: 0 });
  await settle();
  expect(await list()).toHaveLength(2);
  expect(await slotsOf(one)).toEqual([1]);
});

test("a link that the space made is not removed, and one of another space is not found", async () => {
  const [one = 0, two = 0] = cpes;
  const [row] = await list({ nodeId: one });
  expect(await api.post(linkRemove.path, { ids: row?.id }, home.token)).toMatchObject({
    code: 422,
  });
  const draft = { netSpaceId: spaceId, sourceId: one, sourceSlot: 1, targetId: two, targetSlot: 1 };
  const foreign = await api.post(linkAdd.path, { ...draft, ...settings }, other.token);
  expect(foreign).toMatchObject({ code: 400, issues: [{ path: "netSpaceId", rule: "unknown" }] });
  for (const id of [row?.id, 987_654]) {
    const edit = await api.post(linkEdit.path, { id, ...settings }, other.token);
    expect(edit).toMatchObject({ code: 404 });
    expect(await api.post(linkRemove.path, { ids: id }, other.token)).toMatchObject({ code: 404 });
  }
  const outside = { ...draft, targetId: home.ids.cpeId, ...settings };
  expect(await api.post(linkAdd.path, outside, home.token)).toMatchObject({
    code: 400,
    issues: [{ path: "targetId", rule: "unknown" }],
  });
  const linked = { ...draft, targetId: popId, ...settings };
  expect(await api.post(linkAdd.path, linked, home.token)).toMatchObject({ code: 422 });
});

test("a device counts its links that are up but beyond a limit for minutes", async () => {
  const [one = 0] = cpes;
  const [row] = await list({ nodeId: one });
  const id = row?.id ?? 0;
  const { rows } = await sql<{
    node: number;
  }>`select a_node_id as node from link where id = ${id}`.execute(api.database.pools.owner.db);
  const [{ node } = { node: 0 }] = rows;
  const probe = (up: boolean, lossPercent: number, rttMs: number, secondsAgo: number) =>
    keepMeasures(
      api.database.pools,
      [
        {
          node,
          ageMs: 0,
          isOutdated: false,
          isRepeated: false,
          turn: 1,
          link: { id, up, rttMs, jitterMs: 2, lossPercent, inRate: 0, outRate: 0 },
        },
      ],
      new Date(Date.now() - secondsAgo * 1_000),
    );
  /** Six minutes of it until now. */
  const lasting = async (loss: number, delay: number) => {
    await run(sql`delete from link_status where link_id = ${id}`);
    await sql`delete from link_quality where link_id = ${id}`.execute(api.database.pools.owner.db);
    for (let ago = 360; ago >= 0; ago -= 15) await probe(true, loss, delay, ago);
    await inScope(
      api.database.pools.worker,
      { kind: "enterprises", ids: [], userId: null, ownOnly: false },
      (trx) => renewLinkQuality(trx, [node]),
    );
  };
  const counted = async () => {
    const answer = await api.get(cpe.ops.list.path, { page: 1, limit: 10 }, home.token);
    const { linksUp, linksPoor } =
      (answer.data as { id: number; linksUp: number; linksPoor: number }[]).find(
        (found) => found.id === one,
      ) ?? {};
    return { linksUp, linksPoor };
  };
  const excess = async () => (await list({ nodeId: one })).find((found) => found.id === id)?.excess;
  const { loss, delay } = classLimits.realtime;
  await lasting(loss, delay);
  expect(await counted()).toEqual({ linksUp: 1, linksPoor: 0 });
  expect(await excess()).toBeNull();
  // One sample, however bad it is, changes nothing.
  await probe(true, 60, 900, 0);
  expect(await counted()).toEqual({ linksUp: 1, linksPoor: 0 });
  await lasting(loss + 1, 10);
  expect(await counted()).toEqual({ linksUp: 1, linksPoor: 1 });
  expect(await excess()).toMatchObject({ metric: "loss", value: loss + 1, limit: loss });
  await lasting(0, delay + 1);
  expect(await counted()).toEqual({ linksUp: 1, linksPoor: 1 });
  expect(await excess()).toMatchObject({ metric: "delay", value: delay + 1, limit: delay });
  // A link that is down is counted as down.
  await probe(false, 100, delay + 1, 0);
  expect(await counted()).toEqual({ linksUp: 0, linksPoor: 0 });
  expect(await excess()).toBeNull();
});
