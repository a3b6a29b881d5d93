/** What the controller itself finds about nodes in their spaces: links without room, networks that collide. */
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChangeReader } from "#domains/delivery/publish/public.ts";
import { createAlarms } from "#domains/notifications/alarm/evaluate.ts";
import { type LoopWorld, loopWorld } from "./loop-world.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let world: LoopWorld;
let made = 0;
beforeAll(async () => {
  world = await loopWorld();
}, 60_000);
afterAll(() => world.close());

const owner = (query: ReturnType<typeof sql>) => query.execute(world.pools.owner.db);
const post = (path: string, fields: object) => world.post(path, fields);
const ids = (cpeId = 1, popId = 1) => ({ groupid: 1, cpeId, popId });
/** Takes all changes that wait, as the worker does. */
async function settle(): Promise<void> {
  const reader = createChangeReader(world.pools, pino({ level: "silent" }));
  while ((await reader.run()) > 0);
}
/** A node with one static WAN link, whose device has reported its key. */
async function node(kind: "cpe" | "pop"): Promise<{ id: number; name: string }> {
  made += 1;
  const name = `${kind}-${made}`;
  const address = `198.51.100.${made}`;
  const id =
    kind === "cpe"
      ? (await world.addSite({ alias: name })).id
      : newIdOf(await post(pop.ops.add.path, wireDraft("pop", "valid", ids(), { name, sn: name })));
  const draft = wireDraft("line", "valid", ids(id), {
    ip: `${address}/24`,
    gateway: "198.51.100.254",
  });
  newIdOf(await post(line.ops.add.path, draft));
  await owner(sql`insert into weft.node_status (node_id, enterprise_id, tunnel_key, online)
    values (${id}, 1, ${`key-${id}`}, true)
    on conflict (node_id) do update set tunnel_key = excluded.tunnel_key`);
  return { id, name };
}
const spaceDraft = (cpes: readonly number[], pops: readonly number[]) => {
  made += 1;
  const fields = { name: `space-${made}`, cpeIds: cpes.join(), popIds: pops.join() };
  return wireDraft("netSpace", "valid", ids(), fields);
};
const space = async (cpes: readonly number[], pops: readonly number[]): Promise<number> =>
  newIdOf(await post(netSpace.ops.add.path, spaceDraft(cpes, pops)));
const found = async (id: number) =>
  (await world.stateOf(id)).findings.map(({ kind, object, reason, params }) => [
    `${kind} ${object} ${reason}`,
    params,
  ]);
const linksOf = async (id: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from weft.link
    where ${id} in (a_node_id, b_node_id)`.execute(world.pools.owner.db);
  return rows[0]?.n ?? 0;
};

describe("a link without room", () => {
  test("is named on both its ends until another space gives a port back, and then made", async () => {
    const [hub, cpe, elsewhere] = [await node("pop"), await node("cpe"), await node("cpe")];
    const full = await space([elsewhere.id], [hub.id]);
    await settle();
    await owner(sql`insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id, a_slot,
        a_port, a_key, b_node_id, b_slot, b_port, b_key)
      select 1, ${full}, 1 + port - 51820, ${elsewhere.id}, 1, port, 'a' || port, ${hub.id}, 1, port, 'b'
      from generate_series(51821, 65535) port`);
    await space([cpe.id], [hub.id]);
    await settle();
    const params = { count: "1", full: hub.name };
    expect(await found(cpe.id)).toEqual([[`link ${hub.name} noPort`, params]]);
    expect(await found(hub.id)).toEqual([[`link ${cpe.name} noPort`, params]]);
    expect(await linksOf(cpe.id)).toBe(0);
    await post(netSpace.ops.remove.path, { ids: full });
    await settle();
    expect(await linksOf(cpe.id)).toBe(1);
    expect([await found(cpe.id), await found(hub.id)]).toEqual([[], []]);
  });

  test("that no end can be called for is a finding and an alarm, gone with the other site", async () => {
    const [one, two] = [await node("cpe"), await node("cpe")];
    await alarms();
    const id = await space([one.id, two.id], []);
    await settle();
    expect(await found(one.id)).toEqual([[`link ${one.name} noPeer`, {}]]);
    const alarm = ({ name }: { name: string }) =>
      `CPE ${name} 设备报告异常: 链路 ${name}：无法建立`;
    expect(await alarms()).toEqual([one, two].map((of) => expect.stringContaining(alarm(of))));
    await post(netSpace.ops.edit.path, { ...spaceDraft([one.id], []), id });
    await settle();
    expect(await found(one.id)).toEqual([]);
    expect(await alarms()).toEqual([]);
  });
});

let strategyId: number | undefined;
/** What active alarms about findings say. */
async function alarms(): Promise<string[]> {
  if (strategyId === undefined) {
    const policy = { name: "findings", cpeIds: "", popIds: "" };
    const draft = wireDraft("alarmStrategy", "valid", ids(), policy);
    strategyId = newIdOf(await post(alarmStrategy.ops.add.path, draft));
    const rule = { metric: "finding", level: 1, duration: 0, recovery: 0, enable: 1 };
    await post(alarmRule.ops.add.path, { strategyId, ...rule });
  }
  const times = { windowMs: 0, gapMs: 0, graceMs: 0 };
  await createAlarms({
    pools: world.pools,
    times,
    report: (error) => expect(error).toBeNull(),
  }).run();
  const query = { active: 1, page: 1, limit: 100 };
  const { data } = await world.api.get(alarmEventList.path, query, world.admin);
  return (data as { content: string }[]).map(({ content }) => content).sort();
}

/** Writes as a controller did before the rule. */
async function before<Written>(table: string, write: () => Promise<Written>): Promise<Written> {
  await owner(sql`alter table ${sql.table(`weft.${table}`)} disable trigger user`);
  try {
    return await write();
  } finally {
    await owner(sql`alter table ${sql.table(`weft.${table}`)} enable trigger user`);
  }
}
/** What the migration does with the rows that it finds. */
const upgrade = () =>
  owner(sql`select weft.note_network_findings('{}', array(select id from weft.net_space))`);

describe("networks from before a rule", () => {
  test("that take another site's traffic are named on both sites, until one is changed", async () => {
    const [one, two] = [await node("cpe"), await node("cpe")];
    await space([one.id, two.id], []);
    const draft = wireDraft("routeNotice", "valid", ids(one.id), { network: "10.81.0.0/16" });
    newIdOf(await post(routeNotice.ops.add.path, draft));
    const other = { ...draft, cpeId: two.id, network: "10.82.0.0/16" };
    const id = newIdOf(await post(routeNotice.ops.add.path, other));
    await settle();
    await before("route_notice", () =>
      owner(sql`update weft.route_notice set network = '10.81.0.0/16' where id = ${id}`),
    );
    await upgrade();
    const collision = "announce 10.81.0.0/16 collides";
    const of = async (cpeId: number) =>
      (await found(cpeId)).filter(([what]) => what === collision).map(([, params]) => params);
    expect(await of(one.id)).toEqual([{ network: "10.81.0.0/16", site: two.name }]);
    expect(await of(two.id)).toEqual([{ network: "10.81.0.0/16", site: one.name }]);
    await post(routeNotice.ops.edit.path, { ...other, id });
    await settle();
    expect([await of(one.id), await of(two.id)]).toEqual([[], []]);
  });

  test("of two exits are named; a site's own way out beside one exit is none", async () => {
    const [one, two, own] = [await node("cpe"), await node("cpe"), await node("cpe")];
    await space([one.id, two.id, own.id], []);
    const exit = (cpeId: number, announce: 0 | 1) =>
      post(
        staticRoute.ops.add.path,
        wireDraft("staticroute", "valid", ids(cpeId), {
          nCpeID: cpeId,
          destination: "0.0.0.0/0",
          nextHop: "198.51.100.254",
          announce,
        }),
      );
    await exit(own.id, 0);
    await exit(one.id, 1);
    const second = newIdOf(await exit(two.id, 0));
    await before("static_route", () =>
      owner(sql`update weft.static_route set announce = true where id = ${second}`),
    );
    await upgrade();
    const of = async (cpeId: number) =>
      (await found(cpeId)).filter(([what]) => `${what}`.endsWith("collides"));
    const exitOf = (site: string) => [
      ["announce 0.0.0.0/0 collides", { network: "0.0.0.0/0", site }],
    ];
    expect(await of(one.id)).toEqual(exitOf(two.name));
    expect(await of(two.id)).toEqual(exitOf(one.name));
    expect(await of(own.id)).toEqual([]);
  });
});
