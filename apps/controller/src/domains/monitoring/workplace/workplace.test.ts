import { allResources } from "@weft/contract/all-endpoints.ts";
import { healthRank } from "@weft/contract/domains/devices/health.ts";
import type { HeatCell, RootCause } from "@weft/contract/domains/notifications/root-cause.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { wireTime } from "../../../../test/measures.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

const post = (path: string, fields: object, token = admin) => api.post(path, fields, token);
const get = (path: string, query: object = {}, token = admin) => api.get(path, query, token);
const addEnterprise = async (name: string, fields: object = {}) => {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", ids, { name, ...fields });
  return newIdOf(await post("/customer/enterprise/add", draft));
};

describe("the workplace", () => {
  test("shows what ends soon by the enterprise's own days, and customers by their credit", async () => {
    const agent = await addEnterprise("工作台", { isAgent: 1 });
    const token = await api.userToken({ enterpriseId: agent, dataScope: 3, roleType: 1 });
    const inDays = (days: number) => wireTime(Date.now() + days * 86_400_000);
    const soon = await addEnterprise("先到期", { parentId: agent, endTime: inDays(20) });
    await addEnterprise("后到期", { parentId: agent, endTime: inDays(60) });
    await post("/customer/enterprise/charge", { groupid: soon, credit: 9 }, token);
    const read = async () =>
      (await get("/customer/dashboard/workplace", {}, token)).data as {
        expiring: { name: string }[];
        customers: { name: string; balance: number }[];
        counts: { enterprise: number };
      };
    const first = await read();
    expect(first.expiring.map(({ name }) => name)).toEqual(["先到期"]);
    expect(first.customers).toMatchObject([
      { name: "后到期", balance: 0 },
      { name: "先到期", balance: 9 },
    ]);
    expect(first.counts.enterprise).toBe(3);
    const params = { groupid: agent, expireNoticeDays: 90, timezone: "UTC", logDays: 30 };
    expect(await post("/customer/paramConfig/edit", params, token)).toMatchObject({ code: 0 });
    expect((await read()).expiring.map(({ name }) => name)).toEqual(["先到期", "后到期"]);
  });
});

interface Trouble {
  readonly causes: RootCause[];
  readonly causeCount: number;
  readonly heat: { pops: { id: number; name: string }[]; carriers: string[]; cells: HeatCell[] };
  readonly alarms: { level: number; open: number; waiting: number }[];
}

describe("trouble", () => {
  const run = (query: RawBuilder<unknown>) => query.execute(api.database.pools.owner.db);
  const rowOf = async (query: RawBuilder<{ id: number }>) =>
    (await query.execute(api.database.pools.owner.db)).rows[0]?.id ?? expect.fail();
  const addNode = async (kind: "cpe" | "pop", groupid: number, name: string) => {
    const ids = { groupid, cpeId: 0, popId: 0 };
    const draft = wireDraft(kind, "valid", ids, {
      ...(kind === "cpe" ? { alias: name } : { name }),
      sn: `serial-${name}`,
    });
    return newIdOf(await post(allResources[kind].ops.add.path, draft));
  };
  /** A site whose only link, over the carrier to the POP, is as given. */
  const addSite = async (of: number, name: string, pop: number, carrier: string, up: boolean) => {
    const site = await addNode("cpe", of, name);
    await run(sql`insert into weft.line
        (enterprise_id, node_id, slot, name, interface_name, addressing, isp, mtu)
      values (${of}, ${site}, 1, 'one', 'wan1', 'dhcp', ${carrier}, 1400)
      on conflict on constraint line_slot do update set isp = excluded.isp`);
    await run(sql`
      with space as (insert into weft.net_space (enterprise_id, name, topology)
        values (${of}, ${name}, 0) returning id),
      made as (insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id, a_slot,
          a_port, a_key, b_node_id, b_slot, b_port, b_key)
        select ${of}, id, 0, ${site}, 1, ${40_000 + site}, 'x', ${pop}, 1, ${50_000 + site}, 'y'
        from space returning id)
      insert into weft.link_status (link_id, enterprise_id, up)
      select id, ${of}, ${up} from made`);
    if (!up) {
      await run(sql`insert into weft.node_health (node_id, enterprise_id, state, rank, tone, since)
        values (${site}, ${of}, 'cutOff', ${healthRank("cutOff")}, 'bad', now())
        on conflict (node_id) do update set state = excluded.state, rank = excluded.rank,
          tone = excluded.tone, since = excluded.since`);
    }
    return site;
  };
  const troubleOf = async (token: string, query: object = {}): Promise<Trouble> => {
    const answer = await get("/customer/dashboard/workplace", query, token);
    expect(answer).toMatchObject({ code: 0 });
    return answer.data as Trouble;
  };

  test("is reported by its causes over the whole subtree of an agent, and to no one beside it", async () => {
    const agent = await addEnterprise("trouble-agent", { isAgent: 1 });
    const child = await addEnterprise("trouble-child", { parentId: agent });
    const beside = await addEnterprise("trouble-beside");
    const seller = await api.userToken({ enterpriseId: agent, dataScope: 3, roleType: 1 });
    const stranger = await api.userToken({ enterpriseId: beside, dataScope: 3 });
    const pop = await addNode("pop", agent, "trouble-pop");
    const down: number[] = [];
    for (const name of ["t1", "t2", "t3"])
      down.push(await addSite(child, name, pop, "电信", false));
    await addSite(child, "t4", pop, "移动", true);
    // Not of the agent, and over the same carrier.
    const far = await addNode("pop", beside, "trouble-far");
    await addSite(beside, "t5", far, "电信", true);

    const { causes, causeCount, heat } = await troubleOf(seller);
    expect(causeCount).toBe(1);
    expect(causes).toMatchObject([
      {
        kind: "carrier",
        isp: "电信",
        popId: null,
        tone: "bad",
        sites: 3,
        enterprises: 1,
        links: 3,
        loss: null,
      },
    ]);
    expect(causes[0]?.named.map(({ id }) => id).toSorted()).toEqual(down.toSorted());
    expect(heat.pops).toEqual([{ id: pop, name: "trouble-pop" }]);
    expect(heat.carriers).toEqual(["电信", "移动"]);
    expect(heat.cells.toSorted((a, b) => b.down - a.down)).toEqual([
      { popId: pop, isp: "电信", sites: 3, down: 3, poor: 0, loss: null },
      { popId: pop, isp: "移动", sites: 1, down: 0, poor: 0, loss: null },
    ]);
    const elsewhere = await troubleOf(seller, { popId: pop, isp: "移动" });
    expect(elsewhere).toMatchObject({ causes: [], causeCount: 0, heat });
    expect(await troubleOf(seller, { isp: "电信" })).toMatchObject({ causeCount: 1 });

    const foreign = await troubleOf(stranger);
    expect(foreign.causes).toEqual([]);
    expect(foreign.heat.pops).toEqual([{ id: far, name: "trouble-far" }]);
    const wall = await get("/customer/screen/data", {}, seller);
    expect(wall.data).toMatchObject({ causeCount: 1, causes });
  });

  test("has open alarms by severity, and how many of them wait for someone", async () => {
    const own = await addEnterprise("alarm-owner");
    const token = await api.userToken({ enterpriseId: own, dataScope: 3 });
    const site = await addNode("cpe", own, "alarm-site");
    const raise = (level: number) =>
      rowOf(sql`insert into weft.alarm_event (enterprise_id, strategy_name, metric, level, node_id,
          node_kind, node_name, item, opened_at, last_at)
        values (${own}, 'p', 'node', ${level}, ${site}, 'cpe', 'alarm-site', '', now(), now())
        returning id`);
    await raise(1);
    const acknowledged = await raise(1);
    const cleared = await raise(2);
    await run(sql`update weft.alarm_event set handled_at = now() where id = ${acknowledged}`);
    await run(sql`update weft.alarm_event set cleared_at = now() where id = ${cleared}`);
    expect((await troubleOf(token)).alarms).toEqual([
      { level: 1, open: 2, waiting: 1 },
      ...[2, 3, 4].map((level) => ({ level, open: 0, waiting: 0 })),
    ]);
  });
});
