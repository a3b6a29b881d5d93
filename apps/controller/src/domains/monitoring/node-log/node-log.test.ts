/** Logs, records of flows and reports over the real stores: whose they are, and what they say. */

import { allResources } from "@weft/contract/all-endpoints.ts";
import { cklogFlow, logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import { cpeLog, popLog } from "@weft/contract/domains/monitoring/node-log.ts";
import * as report from "@weft/contract/domains/monitoring/node-report.ts";
import { wallboardData } from "@weft/contract/domains/monitoring/wallboard.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FlowRow } from "#metrics-store/flow-schema.ts";
import type { Measures } from "#metrics-store/open.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { testMeasures, wireTime } from "../../../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let measures: Measures;
let api: TestApi;
let admin: string;
let home: Tenant;
let other: Tenant;
let cpeId: number;
let popId: number;
let lineId: number;
let accountId: number;

const minute = 60_000;
const now = Date.now();
const range = { startTime: wireTime(now - 60 * minute), endTime: wireTime(now + minute) };
const get = (call: Endpoint, query: object, token = home.token) => api.get(call.path, query, token);

const flow = (own: Partial<FlowRow>): FlowRow => ({
  node_id: cpeId,
  enterprise_id: home.ids.groupid,
  account_id: 0,
  at: now - 5 * minute,
  duration_ms: 61_400,
  source: "10.1.1.9",
  source_port: 50_000,
  destination: "203.0.113.7",
  destination_port: 443,
  protocol: 6,
  application: "tls",
  user: "li.na",
  url: "",
  denied: false,
  in_bytes: 900,
  out_bytes: 100,
  rtt_ms: null,
  jitter_ms: null,
  loss_percent: null,
  ...own,
});

beforeAll(async () => {
  measures = await testMeasures();
  api = await testApi(undefined, undefined, measures.store);
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  const add = async (name: "line" | "account", replaced: object = {}) =>
    newIdOf(
      await api.post(
        allResources[name].ops.add.path,
        wireDraft(name, "valid", home.ids, replaced),
        home.token,
      ),
    );
  cpeId = home.ids.cpeId;
  popId = home.ids.popId;
  lineId = await add("line", { nodeId: cpeId, interfaceName: "wwan0" });
  accountId = await add("account");
  await measures.store.flows.insert([
    flow({}),
    flow({ url: "news.example/a", application: "http", user: "" }),
    flow({ url: "bad.example/b", denied: true, in_bytes: 0, application: "http" }),
    flow({ account_id: accountId, rtt_ms: 30, jitter_ms: 2, loss_percent: 1 }),
    flow({ node_id: popId }),
    flow({ node_id: popId, enterprise_id: other.ids.groupid, application: "secret" }),
  ]);
  const metric = (kind: "line" | "node", item: string) => ({
    kind,
    node_id: cpeId,
    item,
    at: now - 2 * minute,
    boot: "b",
    sequence: 1,
    in_rate: 8_000,
    out_rate: 800,
    cpu_percent: 12,
    memory_percent: 30,
  });
  await measures.store.insert([
    metric("line", "wwan0"),
    metric("line", "lan9"),
    metric("node", ""),
  ]);
  await sql`insert into node_status (node_id, enterprise_id, online)
    values (${cpeId}, ${home.ids.groupid}, true)
    on conflict (node_id) do update set online = true`.execute(api.database.pools.owner.db);
}, 120_000);
afterAll(async () => {
  await api.close();
  await measures.close();
});

const inputs = (): Readonly<Record<string, object>> => ({
  tree: {},
  cpebyte: { cpeId, ...range },
  cardlist: { cpeId },
  cardflow: { cpeId, cardId: "wwan0", ...range },
  cpe2cpe: range,
  cpe2pop: { cpeId, ...range },
  urlpage: { cpeId, ...range },
  sessionpage: { cpeId, ip: "203.0.113.7", ...range },
});

describe("records of flows", () => {
  const families = [...Object.entries(logFlow), ...Object.entries(cklogFlow)] as const;
  test("B-7.3-08: there are sixteen calls, eight of each family", () => {
    expect(new Set(families.map(([, { path: one }]) => one)).size).toBe(16);
  });
  test.each(families.map(([name, call]) => [call.id, name, call] as const))(
    "B-7.3-08 endpoints:%s answers out of the records",
    async (_, name, call) => {
      const answer = await get(call, inputs()[name] ?? {});
      expect(answer.code, JSON.stringify(answer)).toBe(name === "tree" ? 200 : 0);
      if (name !== "cpe2cpe" && name !== "cpe2pop")
        expect((answer.data as unknown[]).length).toBeGreaterThan(0);
    },
  );

  test("B-7.3-08: a family's metrics are those that were measured", async () => {
    const bytes = (await get(logFlow.cpebyte, inputs().cpebyte ?? {})).data as {
      inBytes: number | null;
    }[];
    const known = bytes.flatMap(({ inBytes }) => (inBytes === null ? [] : [inBytes]));
    // Two interfaces of 8 kbit/s each for one bucket of 30 s.
    expect(known).toEqual([(2 * 8_000 * 30) / 8]);
    expect((await get(logFlow.cardlist, { cpeId })).data).toEqual([
      { cardId: "lan9", name: "lan9" },
      { cardId: "wwan0", name: wireDraft("line", "valid", home.ids).name },
    ]);
    expect((await get(logFlow.urlpage, { cpeId, url: "NEWS", ...range })).data).toMatchObject([
      { id: 1, url: "news.example/a", source: "10.1.1.9", bytes: 1_000, denied: 0 },
    ]);
    const sessions = await get(logFlow.sessionpage, { cpeId, ...range, page: 2, limit: 3 });
    expect(sessions).toMatchObject({ count: 4, data: [{ id: 4, seconds: 61, protocol: 6 }] });
    const tree = (await get(logFlow.tree, { cpeId })).data;
    expect(tree).toMatchObject([
      { id: `enterprise-${home.ids.groupid}` },
      { id: `cpe-${cpeId}`, pId: `enterprise-${home.ids.groupid}` },
    ]);
  });
});

describe("logs of a node", () => {
  const calls = [
    ...Object.values(cpeLog).map((call) => [call.id, call, () => cpeId] as const),
    ...Object.values(popLog).map((call) => [call.id, call, () => popId] as const),
  ];
  test.each(calls)("endpoints:%s answers its owner and no one else", async (_, call, id) => {
    expect(await get(call, { id: id() })).toMatchObject({ code: 0, count: expect.any(Number) });
    expect(await get(call, { id: id() }, other.token)).toMatchObject({ code: 404 });
    expect(await get(call, { id: 987_654 })).toMatchObject({ code: 404 });
  });

  test("a ranking is made of all records of the range, page by page", async () => {
    expect(await get(cpeLog.appRank, { id: cpeId })).toMatchObject({
      count: 2,
      data: [
        { name: "tls", bytes: 2_000, count: 2 },
        { name: "http", bytes: 1_100, count: 2 },
      ],
    });
    expect(await get(cpeLog.userRank, { id: cpeId, page: 2, limit: 1 })).toMatchObject({
      count: 2,
      data: [{ name: "10.1.1.9", bytes: 1_000 }],
    });
    expect((await get(cpeLog.urlAlarmRank, { id: cpeId })).data).toEqual([
      { name: "bad.example", bytes: 100, count: 1 },
    ]);
    expect(await get(cpeLog.appAlarmRank, { id: cpeId, ...range })).toMatchObject({ count: 1 });
    expect(await get(cpeLog.con, { id: cpeId })).toMatchObject({ count: 1, data: [{ count: 4 }] });
    const before = {
      startTime: wireTime(now - 5 * 3_600_000),
      endTime: wireTime(now - 4 * 3_600_000),
    };
    expect(await get(cpeLog.session, { id: cpeId, ...before })).toMatchObject({ count: 0 });
  });

  test("on a POP every caller sees only records of the caller's own enterprises", async () => {
    expect((await get(popLog.appRank, { id: popId })).data).toMatchObject([{ name: "tls" }]);
    const whole = await get(popLog.appRank, { id: popId }, admin);
    expect((whole.data as { name: string }[]).map(({ name }) => name)).toEqual(["secret", "tls"]);
  });

  test("what changed state is in the log, its lines in the log of lines", async () => {
    const lines = (up: boolean) => JSON.stringify([{ interfaceName: "wwan0", up }]);
    for (const up of [true, false]) {
      await sql`update node_status set lines = ${lines(up)}::jsonb where node_id = ${cpeId}`.execute(
        api.database.pools.owner.db,
      );
    }
    expect((await get(cpeLog.lineLog, { id: cpeId })).data).toMatchObject([
      { kind: "line", name: "wwan0", up: 0 },
      { kind: "line", name: "wwan0", up: 1 },
    ]);
    await sql`select weft.note_transition(
      (select enterprise_id from node where id = ${cpeId}), 'state', ${cpeId}, null, 'reverted', null)`.execute(
      api.database.pools.owner.db,
    );
    const log = await get(cpeLog.log, { id: cpeId });
    expect(log).toMatchObject({ count: 5 });
    expect((log.data as object[])[0]).toMatchObject({
      kind: "state",
      name: "",
      outcome: "reverted",
    });
  });
});

describe("reports", () => {
  const asked = (): readonly [Endpoint, object][] => [
    [report.detailReport, { id: cpeId }],
    [report.flowReport, { id: cpeId, ...range }],
    [report.fourGReport, { id: cpeId, ...range }],
    [report.armFlowReport, { id: cpeId, ...range }],
    [report.armPerformanceReport, { id: cpeId, ...range }],
    [report.lineTableReport, { lineId, ...range }],
    [report.neighborReport, { id: cpeId }],
    [report.clientFlow, { id: accountId, ...range }],
    [report.clientPerformance, { id: accountId, ...range }],
    [report.clientJournal, { id: accountId, ...range }],
    [report.availability, { kind: "node", id: cpeId, ...range }],
  ];
  test("endpoints:cpeReport.detail endpoints:cpeReport.flow endpoints:cpeReport.fourG endpoints:cpeReport.armFlow endpoints:cpeReport.armPerformance endpoints:cpeReport.lineTable endpoints:cpeReport.neighbor endpoints:clientReport.flow endpoints:clientReport.performance endpoints:clientReport.journal answer the owner and no one else", async () => {
    for (const [call, query] of asked()) {
      expect(await get(call, query), call.id).toMatchObject({ code: 0 });
      expect(await get(call, query, other.token), call.id).toMatchObject({ code: 404 });
    }
  });

  test("contain measured values only", async () => {
    expect((await get(report.detailReport, { id: cpeId })).data).toMatchObject({
      inRate: 16_000,
      outRate: 1_600,
      cpu: 12,
      mem: 30,
      delay: null,
    });
    const names = async (call: Endpoint) =>
      ((await get(call, { id: cpeId, ...range })).data as { items: { name: string }[] }).items.map(
        ({ name }) => name,
      );
    expect(await names(report.fourGReport)).toEqual(["wwan0"]);
    expect((await names(report.armFlowReport)).sort()).toEqual(["lan9", "wwan0"]);
    expect((await get(report.lineTableReport, { lineId, ...range })).data).toMatchObject({
      nodeId: cpeId,
      nodeKind: "cpe",
      interfaceName: "wwan0",
    });
    type Points = { inBytes?: number | null; delay?: number | null }[];
    const client = { id: accountId, ...range };
    const moved = (await get(report.clientFlow, client)).data as Points;
    expect(moved.filter(({ inBytes }) => inBytes !== null)).toMatchObject([{ inBytes: 900 }]);
    const quality = (await get(report.clientPerformance, client)).data as Points;
    expect(quality.filter(({ delay }) => delay !== null)).toMatchObject([{ delay: 30, loss: 1 }]);
    expect(await get(report.clientJournal, { id: accountId })).toMatchObject({
      count: 1,
      data: [{ action: "account.add" }],
    });
  });

  test("endpoints:screen.data has states, places and traffic of the caller's", async () => {
    const { data, code } = await get(wallboardData, {});
    expect(code).toBe(0);
    expect(data).toMatchObject({ counts: { cpe: 1, cpeOnline: 1 }, links: [] });
    expect((data as { devices: { alias: string }[] }).devices.length).toBeLessThan(3);
  });
});
