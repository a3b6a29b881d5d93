/** States that a device reports, from its socket to an alarm: programs that crash, objects without effect. */
import { once } from "node:events";
import { cpeLog } from "@weft/contract/domains/monitoring/node-log.ts";
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FakeEdge, Line } from "../../../../test/fake-edge.ts";
import { type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { createAlarms } from "./evaluate.ts";

let world: LoopWorld;
let site: Site;
let edge: FakeEdge;
let line: Line;

beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
  site = await world.addSite();
  await world.addLan(site, 1);
  edge = await world.enrolled(site);
  line = await edge.connect();
  line.send(edge.report());
  const ids = { groupid: 1, cpeId: site.id, popId: 1 };
  const policy = { name: "states", cpeIds: "", popIds: "" };
  const { path } = alarmStrategy.ops.add;
  const strategyId = newIdOf(
    await world.post(path, wireDraft("alarmStrategy", "valid", ids, policy)),
  );
  for (const metric of ["repair", "finding", "deny"]) {
    const rule = { metric, level: 1, duration: 0, recovery: 0, enable: 1 };
    await world.post(alarmRule.ops.add.path, { strategyId, ...rule });
  }
}, 60_000);
afterAll(async () => {
  line?.socket.terminate();
  await world?.close();
});

/** Resolves once the controller has processed it. */
const died = async (...objects: string[]) => {
  line.send({ type: "repairs", items: objects.map((object) => ({ part: "routing", object })) });
  line.socket.ping();
  await once(line.socket, "pong", { signal: AbortSignal.timeout(60_000) });
};
/** The worker of this world evaluates too, one at a time: what it began before shows nothing of what came since. */
const evaluate = async (): Promise<void> => {
  const alarms = createAlarms({
    pools: world.pools,
    times: { windowMs: 0, gapMs: 0, graceMs: 0 },
    report: (error) => expect(error).toBeNull(),
  });
  while ((await alarms.run()) === undefined);
};
const read = async <Row>(path: string, query: object): Promise<Row[]> => {
  const answer = await world.api.get(path, { limit: 100, page: 1, ...query }, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Row[];
};
const events = (active: 0 | 1) =>
  read<OutputOf<typeof alarmEventList>[number]>(alarmEventList.path, { active });
const logged = async () =>
  (await read<OutputOf<typeof cpeLog.log>[number]>(cpeLog.log.path, { id: site.id })).filter(
    ({ kind }) => kind === "repair",
  );

test("one that crashed is in the node's log; one that keeps crashing is an event until it is stable", async () => {
  await died("bgpd", "zebra");
  await evaluate();
  expect((await logged()).map(({ name }) => name).sort()).toEqual([
    "routing bgpd",
    "routing zebra",
  ]);
  expect(await events(1)).toEqual([]);
  await died("bgpd");
  await died("bgpd");
  await evaluate();
  const [event, ...more] = await events(1);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ metric: "repair", itemName: "routing bgpd", cpeId: site.id });
  expect(event?.content).toMatch(/routing bgpd 程序反复重启$/);
  await sql`update weft.transition set at = at - interval '11 minutes' where kind = 'repair'`.execute(
    world.pools.owner.db,
  );
  await evaluate();
  expect(await events(1)).toEqual([]);
  expect(await events(0)).toHaveLength(1);
});

test("a device that reports endlessly fills neither log nor database", async () => {
  await sql`delete from weft.transition where kind = 'repair'`.execute(world.pools.owner.db);
  const many = Array.from({ length: 50 }, () => "bgpd");
  for (let round = 0; round < 3; round += 1) await died(...many);
  expect(await logged()).toHaveLength(60);
});

test("a deny that cannot act is an event until it can, unless devices do not support it: that was known", async () => {
  const { path = "" } = policyFamily("routerConnlimit").manage.resource.ops.add ?? {};
  const limit = { name: "few", enable: 1, ipgroupId: "", maxConnections: 9, maxNewPerSecond: "" };
  newIdOf(await world.post(path, { cpeId: site.id, remark: "", ...limit }));
  const ids = { groupid: 1, cpeId: site.id, popId: 0 };
  const entry = { type: "domain", value: "ads.example.com" };
  const added = await world.post(
    blacklist.ops.add.path,
    wireDraft("blacklist", "valid", ids, entry),
  );
  const { path: ofTimes = "" } = policyFamily("routerTimenode").manage.resource.ops.add ?? {};
  const lunch = { name: "lunch", startTime: "12:00", endTime: "13:30", weekdays: "" };
  newIdOf(await world.post(ofTimes, { cpeId: site.id, remark: "", ...lunch }));
  const denied = async () => {
    await evaluate();
    const shown = (await events(1)).filter(({ metric }) => metric === "deny");
    return shown.map(({ content }) => content).sort();
  };
  const found = async (reason: string) => {
    const { rows } = await sql<{ name: string }>`select name from weft.policy_finding
      where node_id = ${site.id} and effect = 'cannot' and reason = ${reason} order by name`.execute(
      world.pools.owner.db,
    );
    return rows.map(({ name }) => name);
  };
  const health = async () =>
    (
      await sql<{
        state: string;
      }>`select state from weft.node_health where node_id = ${site.id}`.execute(
        world.pools.owner.db,
      )
    ).rows[0]?.state;
  // All three are found, none is an event, and the site is not worse for them.
  await expect.poll(() => found("notCarriedOut")).toEqual(["ads.example.com", "few", "lunch"]);
  expect(await denied()).toEqual([]);
  await evaluate();
  expect(await health()).not.toBe("findings");
  // A device that could, and does not for a reason of its own, is another matter.
  const can = (name: string) => ({ name: `policy.${name}`, can: true, reason: null });
  const capabilities = [can("routerConnlimit"), can("routerIpgroup")];
  line.send(edge.report({ capabilities }));
  await expect.poll(() => found("notCarriedOut")).toEqual(["ads.example.com", "lunch"]);
  const { path: ofGroups = "" } = policyFamily("routerIpgroup").manage.resource.ops.add ?? {};
  const ipgroupId = newIdOf(
    await world.post(ofGroups, { cpeId: site.id, name: "none", remark: "" }),
  );
  const empty = { ...limit, name: "empty", ipgroupId };
  const limited = newIdOf(await world.post(path, { cpeId: site.id, remark: "", ...empty }));
  await expect.poll(denied).toEqual([expect.stringMatching(/拒绝规则不生效: 连接数控制 empty：/)]);
  await world.post(policyFamily("routerConnlimit").manage.resource.ops.remove?.path ?? "", {
    cpeId: site.id,
    ids: limited,
  });
  await expect.poll(denied).toEqual([]);
  await world.post(blacklist.ops.remove.path, { ids: newIdOf(added) });
});

test("an object without effect on a device is an event of its own, with its reason, while it is known", async () => {
  const owner = world.pools.owner.db;
  const link = { section: "tunnel", kind: "link", object: "wl11", reason: "pathMtu" };
  const lan = {
    section: "underlay",
    kind: "lan",
    object: "lan9",
    reason: "noInterface",
    params: {},
  };
  const evaluateAt = async (online: boolean, ...findings: object[]) => {
    await sql`update weft.node_status set online = ${online} where node_id = ${site.id}`.execute(
      owner,
    );
    await sql`update weft.node_state set findings = ${JSON.stringify(findings)}::jsonb
      where node_id = ${site.id} and epoch = 900`.execute(owner);
    await evaluate();
    const shown = (await events(1)).filter(({ metric }) => metric === "finding");
    return shown.map(({ content }) => content).sort();
  };
  await sql`insert into weft.node_state (node_id, epoch, serial, enterprise_id, sections, digest,
      outcome, cause, created_by)
    values (${site.id}, 900, 900, 1, '{}', '', 'confirmed', 'test', 1)`.execute(owner);
  const both = [{ ...link, params: { mtu: "1300", wanted: "1380" } }, lan];
  expect(await evaluateAt(true, ...both)).toEqual([
    expect.stringMatching(/设备报告异常: LAN 网段 lan9：设备没有此接口$/),
    expect.stringMatching(/设备报告异常: 链路 wl11：路径丢弃大包.*由 1380 字节降为 1300 字节$/),
  ]);
  const spoofed = { section: "firewall", kind: "lan", object: "lan1", reason: "foreignSource" };
  expect(await evaluateAt(true, { ...spoofed, params: { count: "100" } })).toEqual([
    expect.stringMatching(
      /^CPE \S+ 设备报告异常: LAN 网段 lan1：最近丢弃了 100 个以上源地址不属于此处的数据包/,
    ),
  ]);
  const range = { first: "10.50.1.128", last: "10.50.1.254" };
  const full = { section: "resolver", kind: "lan", object: "lan1", reason: "dhcpExhausted" };
  expect(await evaluateAt(true, { ...full, params: range })).toEqual([
    expect.stringMatching(
      /^CPE \S+ 设备报告异常: LAN 网段 lan1：DHCP 地址池 10\.50\.1\.128–10\.50\.1\.254 已用尽/,
    ),
  ]);
  await evaluateAt(true, ...both);
  expect((await events(1)).filter(({ content }) => content.includes("DHCP"))).toEqual([]);
  // One reason of one object several times, such as of each of its networks: one event, and the others are evaluated as before.
  const twice = [
    { ...lan, object: "lan8", params: { network: "10.9.1.0/24" } },
    { ...lan, object: "lan8", params: { network: "10.9.2.0/24" } },
  ];
  expect(await evaluateAt(true, ...twice, ...both)).toHaveLength(3);
  // Offline: no one knows whether it was repaired.
  expect(await evaluateAt(false, ...both)).toHaveLength(2);
  expect(await evaluateAt(true, lan)).toEqual([expect.stringContaining("lan9")]);
  expect(await evaluateAt(true)).toEqual([]);
});
