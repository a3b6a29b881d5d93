/** The page of a site in one call: what it was like, what happened, whether others have the same trouble. */

import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { siteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { linkList } from "@weft/contract/domains/overlay/link.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pastFlows } from "#demonstration/flows.ts";
import type { Measures } from "#metrics-store/open.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { testMeasures, wireTime } from "../../../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

type Overview = OutputOf<typeof siteOverview>;

let measures: Measures;
let api: TestApi;
let home: Tenant;
let other: Tenant;
let neighbour: number;
let spaceId: number;

const minuteMs = 60_000;
const now = Math.floor(Date.now() / minuteMs) * minuteMs;
const ago = (minutes: number): Date => new Date(now - minutes * minuteMs);
const lastTwoHours = { startTime: wireTime(ago(120)), endTime: wireTime(new Date(now + minuteMs)) };
const run = (query: ReturnType<typeof sql>) => query.execute(api.database.pools.owner.db);

const ask = (id: number, token = home.token, range = lastTwoHours) =>
  api.get(siteOverview.path, { id, ...range }, token);
const read = async (id: number): Promise<Overview> => {
  const answer = await ask(id);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Overview;
};

const addLine = (nodeId: number, slot: number, isp: string) =>
  api.post(
    line.ops.add.path,
    wireDraft("line", "valid", home.ids, {
      nodeId,
      slot,
      isp,
      name: isp,
      interfaceName: `wan${slot}`,
      addressing: "dhcp",
      ip: "",
      gateway: "",
    }),
    home.token,
  );

let ports = 40_000;
/** A link of a node's line to the POP, as it is measured now; `loss` null: it is down. */
async function addLink(nodeId: number, slot: number, loss: number | null): Promise<number> {
  ports += 1;
  const { rows } = await sql<{ id: number }>`
    insert into link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
      b_node_id, b_slot, b_port, b_key)
    values (${home.ids.groupid}, ${spaceId}, ${ports - 40_000}, ${nodeId}, ${slot}, ${ports}, 'x',
      ${home.ids.popId}, 1, ${ports}, 'y') returning id`.execute(api.database.pools.owner.db);
  const id = rows[0]?.id ?? 0;
  await run(sql`insert into link_status (link_id, enterprise_id, up, rtt_ms, jitter_ms, loss_percent,
      at, changed_at)
    values (${id}, ${home.ids.groupid}, ${loss !== null}, 20, 2, ${loss ?? 0},
      now() + interval '1 hour', now())`);
  if ((loss ?? 0) > 1) {
    await run(sql`insert into link_quality (link_id, enterprise_id, metric, value, over, since)
      values (${id}, ${home.ids.groupid}, 'loss', ${loss}, 1, now())`);
  }
  return id;
}

beforeAll(async () => {
  measures = await testMeasures();
  api = await testApi(undefined, undefined, measures.store);
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  const draft = wireDraft("cpe", "valid", home.ids, { alias: "neighbour", sn: "neighbour" });
  neighbour = newIdOf(await api.post(cpe.ops.add.path, draft, home.token));
  await run(
    sql`delete from line where node_id = any(${[home.ids.cpeId, home.ids.popId]}::bigint[])`,
  );
  for (const [node, slot, isp] of [
    [home.ids.cpeId, 1, "电信"],
    [home.ids.cpeId, 2, "联通"],
    [neighbour, 1, "电信"],
    [home.ids.popId, 1, "电信"],
  ] as const) {
    expect(await addLine(node, slot, isp)).toMatchObject({ code: 0 });
  }
  const { rows } = await sql<{ id: number }>`
    insert into net_space (enterprise_id, name, topology)
    values (${home.ids.groupid}, 'space', 0) returning id`.execute(api.database.pools.owner.db);
  spaceId = rows[0]?.id ?? 0;
  // When the tenants were made their devices were recorded as offline: in the range or not, by the clock.
  await run(sql`delete from transition`);
}, 120_000);
afterAll(async () => {
  await api.close();
  await measures.close();
});

test("a site without devices, lines or links is a page as well", async () => {
  const { ids } = other;
  const answer = await ask(ids.cpeId, other.token);
  expect(answer.data).toMatchObject({
    node: { id: ids.cpeId, kind: "cpe", name: "other-cpe" },
    links: [],
    linkCount: 0,
    beside: [],
    hasFlows: false,
    contact: [{ state: "unknown" }],
  });
});

test("quality, contact, alarms, changes and deliveries lie on one axis, and counts are those of the lists", async () => {
  const { cpeId, groupid } = home.ids;
  const poor = await addLink(cpeId, 1, 9);
  const fine = await addLink(cpeId, 2, 0);
  await addLink(neighbour, 1, null);
  const turn = (kind: string, node: number, minutes: number, up: boolean, link: number | null) =>
    run(sql`insert into transition (enterprise_id, kind, node_id, link_id, up, at)
      values (${groupid}, ${kind}, ${node}, ${link}, ${up}, ${ago(minutes)})`);
  await turn("node", cpeId, 300, true, null);
  await turn("link", cpeId, 300, true, poor);
  await turn("node", cpeId, 90, false, null);
  await turn("node", cpeId, 80, true, null);
  await measures.store.insert(
    [60, 30].map((minutes) => ({
      kind: "link" as const,
      node_id: cpeId,
      item: String(poor),
      boot: "b",
      sequence: 1,
      at: now - minutes * minuteMs,
      rtt_ms: 40,
      jitter_ms: 4,
      loss_percent: minutes / 10,
    })),
  );
  await run(sql`
    insert into alarm_event (enterprise_id, strategy_name, metric, level, node_id, node_kind, node_name,
      item, item_name, value, subject, opened_at, last_at)
    values (${groupid}, '质量', 'loss', 3, ${cpeId}, 'cpe', 'home-cpe', ${String(poor)}, '', 9,
      ${`q:${poor}`}, ${ago(50)}, ${ago(1)})`);
  await run(sql`
    insert into node_state (node_id, epoch, serial, enterprise_id, sections, digest, outcome, cause,
      created_by, created_at, ended_at)
    values (${cpeId}, 900, 42, ${groupid}, '{}', 'd', 'confirmed', 'admin: line.edit', 1, ${ago(55)},
      ${ago(54)})`);

  const flows = pastFlows([{ id: cpeId, groupid, lan: 101 }], [], now);
  await measures.store.flows.insert(flows.slice(0, 3));

  const found = await read(cpeId);
  expect(found.hasFlows).toBe(true);
  expect(found.links.map(({ id, slot, loss, up }) => [id, slot, loss, up])).toEqual([
    [poor, 1, 9, true],
    [fine, 2, 0, true],
  ]);
  const [first] = found.links;
  expect(found.links.map(({ excess }) => excess?.value ?? null)).toEqual([9, null]);
  expect(first?.peer).toEqual({ id: home.ids.popId, kind: "pop", name: "home-pop", slot: 1 });
  const start = Date.parse(`${String(found.from).replace(" ", "T")}Z`);
  const at = (minutes: number) =>
    first?.quality?.loss[Math.floor((now - minutes * minuteMs - start) / 1_000 / found.step)];
  expect([at(60), at(45), at(30)]).toEqual([6, null, 3]);
  expect(found.links[1]?.quality?.loss.every((value) => value === null)).toBe(true);
  expect(found.contact.map(({ state }) => state)).toEqual(["up", "down", "up"]);
  expect(first?.stretches.map(({ state }) => state)).toEqual(["up", "unknown", "up"]);
  expect(found.lines.map(({ slot, isp }) => [slot, isp])).toEqual([
    [1, "电信"],
    [2, "联通"],
  ]);
  const kinds = found.marks.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "alarm")).toHaveLength(1);
  expect(found.marks.find(({ kind }) => kind === "delivery")).toMatchObject({
    id: 42,
    outcome: "confirmed",
  });
  expect(found.marks.find(({ kind }) => kind === "alarm")).toMatchObject({ level: 3, to: null });
  expect(found.marks.some(({ kind, text }) => kind === "change" && text[1] !== "")).toBe(true);

  expect(found.beside).toEqual([
    { kind: "carrier", isp: "电信", pop: null, links: 1, bad: 1 },
    { kind: "pop", isp: null, pop: { id: home.ids.popId, name: "home-pop" }, links: 1, bad: 1 },
    { kind: "line", isp: null, pop: null, links: 1, bad: 0 },
  ]);
  // What a press on a count leads to is what was counted.
  const listed = async (query: object) =>
    (await api.get(linkList.path, { page: 1, limit: 10, ...query }, home.token)).count;
  expect(await listed({ isp: "电信", besideId: cpeId, trouble: 1 })).toBe(1);
  expect(await listed({ nodeId: home.ids.popId, besideId: cpeId })).toBe(1);
  expect(await listed({ trouble: 1 })).toBe(2);
  expect(await listed({ trouble: 0 })).toBe(1);
});

test("the POP of an own network is a page of the same kind", async () => {
  const found = await read(home.ids.popId);
  expect(found.node).toMatchObject({ kind: "pop", name: "home-pop" });
  expect(found.links).toHaveLength(3);
  expect(found.links[0]).toMatchObject({ up: false, peer: { name: "neighbour" } });
  expect(found.beside.map(({ kind }) => kind)).toEqual(["carrier"]);
});

test("another tenant's site and one that does not exist are not there, in the same answer", async () => {
  const absent = await ask(987_654_321, other.token);
  expect(absent).toMatchObject({ code: 404 });
  const foreign = await ask(home.ids.cpeId, other.token);
  expect([foreign.code, foreign.msg, foreign.data]).toEqual([absent.code, absent.msg, absent.data]);
});

test("a range that ends before it starts is refused at its field", async () => {
  const range = { startTime: lastTwoHours.endTime, endTime: lastTwoHours.startTime };
  expect(await ask(home.ids.cpeId, home.token, range)).toMatchObject({
    code: 400,
    issues: [{ path: "endTime" }],
  });
});
