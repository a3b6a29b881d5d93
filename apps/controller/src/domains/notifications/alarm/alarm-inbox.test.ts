/** Groups, owners, snoozes and maintenance windows on a database, as the API and the worker make them. */

import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { alarmRule, alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import {
  alarmEventGroups,
  alarmEventHandle,
  alarmEventList,
  alarmEventOwn,
  alarmEventOwners,
  alarmEventSnooze,
  alarmEventSummary,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import { alarmWindow } from "@weft/contract/domains/notifications/alarm-window.ts";
import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { wireTime } from "../../../../test/measures.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { createAlarms } from "./evaluate.ts";

type Group = OutputOf<typeof alarmEventGroups>[number];
type Event = OutputOf<typeof alarmEventList>[number];

let api: TestApi;
let admin = "";
let [mine, theirs] = [] as unknown as [Tenant, Tenant];
let sites: number[] = [];

const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(api.database.pools.owner.db)).rows;
const post = (path: string, fields: object, token = mine.token) => api.post(path, fields, token);
const evaluate = () =>
  createAlarms({
    pools: api.database.pools,
    times: { windowMs: 0, gapMs: 0, graceMs: 0 },
    report: (error) => expect(error).toBeNull(),
  }).run();
const groups = async (query: object = {}, token = mine.token): Promise<Group[]> =>
  (await api.get(alarmEventGroups.path, { page: 1, limit: 50, ...query }, token)).data as Group[];
const events = async (query: object = {}, token = mine.token): Promise<Event[]> =>
  (await api.get(alarmEventList.path, { page: 1, limit: 100, ...query }, token)).data as Event[];
const waiting = async (token = mine.token): Promise<number> => {
  const { data } = await api.get(alarmEventSummary.path, {}, token);
  return (data as { waiting: number }[]).reduce((sum, one) => sum + one.waiting, 0);
};
const online = (ids: readonly number[], isOnline: boolean) =>
  rowsOf(sql`insert into weft.node_status (node_id, enterprise_id, online, last_seen)
    select id, enterprise_id, ${isOnline}, now() from weft.node where id = any(${ids}::bigint[])
    on conflict (node_id) do update set online = excluded.online, last_seen = now()`);
const addLink = (site: number, n: number) =>
  rowsOf(sql`
    with made as (
      insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port,
        a_key, b_node_id, b_slot, b_port, b_key)
      select ${mine.ids.groupid}, id, ${100 + n}, ${site}, 1, ${20_000 + n}, ${`a${n}`},
        ${mine.ids.popId}, 1, ${30_000 + n}, ${`b${n}`}
      from weft.net_space where enterprise_id = ${mine.ids.groupid} limit 1 returning id
    )
    insert into weft.link_status (link_id, enterprise_id, up)
    select id, ${mine.ids.groupid}, true from made`);
/** The only line of the site is over this carrier, and has a link to the POP. */
const connect = async (site: number, n: number, isp: string): Promise<void> => {
  await rowsOf(sql`
    insert into weft.line (enterprise_id, node_id, slot, name, interface_name, addressing, isp,
      mtu, up_kbps, down_kbps)
    select enterprise_id, id, 1, ${isp}, 'wan1', 'dhcp', ${isp}, 1400, 1000, 1000
    from weft.node where id = ${site}`);
  await addLink(site, n);
};
const setLinks = (ids: readonly number[], isUp: boolean) =>
  rowsOf(sql`update weft.link_status s set up = ${isUp}, at = now() from weft.link l
    where l.id = s.link_id and l.a_node_id = any(${ids}::bigint[])`);
const minutesAhead = (minutes: number): string => wireTime(Date.now() + minutes * 60_000);
const sent = () =>
  rowsOf(sql<{ subject: string; body: string }>`
    select subject, body from weft.outbox order by id`);
const window = (fields: object, token = mine.token) =>
  post(
    alarmWindow.ops.add.path,
    wireDraft("alarmWindow", "valid", mine.ids, {
      startTime: minutesAhead(-10),
      endTime: minutesAhead(60),
      ...fields,
    }),
    token,
  );

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  mine = await makeTenant(api, admin, "inbox-mine");
  theirs = await makeTenant(api, admin, "inbox-theirs");
  await post("/customer/netSpace/add", wireDraft("netSpace", "valid", mine.ids, { name: "inbox" }));
  const more: number[] = [];
  for (const n of [1, 2, 3, 4]) {
    const draft = wireDraft("cpe", "valid", mine.ids, { alias: `shop-${n}`, sn: `shop-${n}` });
    more.push(newIdOf(await post(cpe.ops.add.path, draft, admin)));
  }
  sites = more;
  for (const [n, site] of sites.entries()) await connect(site, n, "电信");
  const receiver = await post(
    messageReceive.ops.add.path,
    wireDraft("messageReceive", "valid", mine.ids, { name: "noc", language: "en_gb" }),
  );
  const policy = newIdOf(
    await post(
      alarmStrategy.ops.add.path,
      wireDraft("alarmStrategy", "valid", mine.ids, {
        name: "inbox",
        cpeIds: "",
        popIds: "",
        recipientIds: newIdOf(receiver),
      }),
    ),
  );
  const rule = { strategyId: policy, duration: 0, recovery: 0, enable: 1 };
  await post(alarmRule.ops.add.path, { ...rule, metric: "node", level: 1 }, admin);
  await post(alarmRule.ops.add.path, { ...rule, metric: "link", level: 3 }, admin);
}, 60_000);
afterAll(() => api.close());

beforeEach(async () => {
  for (const table of ["alarm_event", "alarm_watch", "transition", "outbox", "alarm_window"])
    await rowsOf(sql`delete from ${sql.table(`weft.${table}`)}`);
  await online([...sites, mine.ids.cpeId, mine.ids.popId], true);
  await setLinks(sites, true);
});

describe("groups", () => {
  test("links of several sites over one carrier are one entry, for those who see them", async () => {
    await setLinks(sites.slice(0, 3), false);
    await evaluate();
    const [group, ...others] = await groups();
    expect(others).toEqual([]);
    expect(group).toMatchObject({
      kind: "carrier",
      isp: "电信",
      sites: 3,
      enterprises: 1,
      level: 3,
      waiting: 3,
      owners: [],
      ownerId: null,
      snoozeKey: "c:电信",
    });
    expect(group?.alarmIds).toHaveLength(3);
    expect(await events({ ids: group?.alarmIds.join(",") })).toHaveLength(3);
    expect(await groups({}, theirs.token)).toEqual([]);
    const handled = { ids: group?.alarmIds.join(","), remark: "carrier is called" };
    expect(await post(alarmEventHandle.path, handled, theirs.token)).toMatchObject({ data: null });
    expect(await post(alarmEventHandle.path, handled)).toMatchObject({ code: 0 });
    expect(await groups()).toMatchObject([{ waiting: 0 }]);
    expect(await groups({ handled: 0 })).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  test("a controller without sight is one event", async () => {
    await online(sites, false);
    await online([mine.ids.cpeId], false);
    await evaluate();
    expect(await groups()).toMatchObject([{ kind: "contact", sites: 5, level: 1 }]);
    const [message, ...more] = await sent();
    expect(more).toEqual([]);
    expect(message?.body.split("\n")).toHaveLength(1);
    expect(message?.body).toContain("5 devices lost contact within 90 s");
  });
});

describe("an owner", () => {
  const own = (ids: readonly number[], ownerId: number | "", token = mine.token) =>
    post(alarmEventOwn.path, { ids: ids.join(","), ownerId }, token);
  const userOf = async ({ ids }: Tenant): Promise<number> => {
    const [user] = await rowsOf(sql<{ id: number }>`
      select id from weft.sys_user where enterprise_id = ${ids.groupid} order by id limit 1`);
    return user?.id ?? 0;
  };

  test("takes a group, is found by it, and releases it; another tenant's user cannot own it", async () => {
    await setLinks(sites.slice(0, 3), false);
    await evaluate();
    const ids = (await groups())[0]?.alarmIds ?? [];
    const me = await userOf(mine);
    expect(await own(ids, me)).toMatchObject({ code: 0 });
    const [group] = await groups({ owner: "mine" });
    expect(group).toMatchObject({ ownerId: me });
    expect(group?.owners).toHaveLength(1);
    expect(await groups({ owner: "none" })).toEqual([]);
    expect(await events({ owner: "mine" })).toHaveLength(3);
    const foreign = await userOf(theirs);
    const refused = await own(ids, foreign);
    expect(refused.issues).toMatchObject([{ path: "ownerId", rule: "unknown" }]);
    // The operator sees both, and that user does not see these alarms.
    expect((await own(ids, foreign, admin)).issues).toMatchObject([{ path: "ownerId" }]);
    expect(await own(ids, foreign, theirs.token)).toMatchObject({ data: null });
    expect(await own(ids, "")).toMatchObject({ code: 0 });
    expect(await groups({ owner: "none" })).toHaveLength(1);
    const { data } = await api.get(alarmEventOwners.path, {}, mine.token);
    expect((data as { id: number }[]).map(({ id }) => id)).toContain(me);
    expect((data as { id: number }[]).map(({ id }) => id)).not.toContain(foreign);
  });
});

describe("a snooze", () => {
  const snooze = (group: Group | undefined, until: string, token = mine.token) =>
    post(
      alarmEventSnooze.path,
      {
        ids: group?.alarmIds.join(","),
        until,
        remark: "carrier repairs a fibre",
        snoozeKey: group?.snoozeKey,
      },
      token,
    );
  const fail = async (count: number): Promise<Group | undefined> => {
    await setLinks(sites.slice(0, count), false);
    await evaluate();
    return (await groups())[0];
  };

  test("leaves list and counts until it ends", async () => {
    const group = await fail(3);
    expect(await snooze(group, minutesAhead(60), theirs.token)).toMatchObject({ data: null });
    expect(await snooze(group, minutesAhead(-1))).toMatchObject({
      issues: [{ path: "until", rule: "outOfRange" }],
    });
    expect(await snooze(group, minutesAhead(60))).toMatchObject({ code: 0 });
    expect(await groups()).toEqual([]);
    expect(await waiting()).toBe(0);
    expect(await groups({ view: "snoozed" })).toMatchObject([
      { sites: 3, notes: ["carrier repairs a fibre"] },
    ]);
    await evaluate();
    expect(await groups()).toEqual([]);
    await rowsOf(sql`update weft.alarm_event set snoozed_until = now()`);
    expect(await groups()).toMatchObject([{ sites: 3 }]);
    expect(await waiting()).toBe(3);
    await evaluate();
    expect(await events({ view: "active" })).toMatchObject([
      { snoozedUntil: null },
      { snoozedUntil: null },
      { snoozedUntil: null },
    ]);
  });

  test("ends when another site joins", async () => {
    await snooze(await fail(3), minutesAhead(60));
    expect(await fail(4)).toMatchObject({ kind: "carrier", sites: 4 });
    expect(await groups({ view: "snoozed" })).toEqual([]);
  });

  test("includes what is no news, and ends when severity rises", async () => {
    const [site = 0] = sites;
    await setLinks([site], false);
    await evaluate();
    await snooze((await groups())[0], minutesAhead(60));
    await addLink(site, 50);
    await setLinks([site], false);
    await evaluate();
    expect(await groups()).toEqual([]);
    expect(await events({ view: "snoozed" })).toHaveLength(2);
    await online([site], false);
    await evaluate();
    const [group] = await groups();
    expect(group).toMatchObject({ kind: "node", state: "offline", level: 1 });
    expect(group?.alarmIds).toHaveLength(3);
    await rowsOf(sql`delete from weft.link where index_in_space = 150`);
  });
});

describe("a maintenance window", () => {
  test("keeps alarms, sends and counts none, and what is active at its end is sent", async () => {
    expect(await window({ cpeIds: sites.join(",") })).toMatchObject({ code: 0 });
    await setLinks(sites.slice(0, 3), false);
    await evaluate();
    expect(await groups()).toEqual([]);
    expect(await waiting()).toBe(0);
    expect(await groups({ view: "maintenance" })).toMatchObject([{ kind: "carrier", sites: 3 }]);
    expect(await sent()).toEqual([]);
    // One of them recovers inside of the window: it is never sent.
    await setLinks(sites.slice(0, 1), true);
    await evaluate();
    await rowsOf(sql`update weft.alarm_window set ends_at = now()`);
    await evaluate();
    const [message, ...more] = await sent();
    expect(more).toEqual([]);
    expect(message?.subject).toContain("2 raised");
    expect(await groups({ view: "maintenance" })).toEqual([]);
    expect(await waiting()).toBe(2);
    await evaluate();
    expect(await sent()).toHaveLength(1);
  });

  test.each([
    ["a POP", () => ({ kind: 2, cpeIds: "", popIds: mine.ids.popId })],
    ["an enterprise", () => ({ kind: 3, cpeIds: "", scopeId: mine.ids.groupid })],
    ["a carrier", () => ({ kind: 4, cpeIds: "", isp: "电信" })],
  ])("of %s covers what depends on it", async (_, target) => {
    await setLinks(sites.slice(0, 1), false);
    await evaluate();
    expect(await groups()).toHaveLength(1);
    expect(await window(target())).toMatchObject({ code: 0 });
    await evaluate();
    expect(await groups()).toEqual([]);
    expect(await groups({ view: "maintenance" })).toHaveLength(1);
    await rowsOf(sql`delete from weft.alarm_window`);
    await evaluate();
    expect(await groups()).toHaveLength(1);
  });

  test("over another tenant's site or enterprise is refused, and covers no other tenant's alarms", async () => {
    for (const [field, target] of [
      ["cpeIds", { cpeIds: theirs.ids.cpeId }],
      ["scopeId", { kind: 3, cpeIds: "", scopeId: theirs.ids.groupid }],
    ] as const) {
      expect((await window(target)).issues).toMatchObject([{ path: field, rule: "unknown" }]);
    }
    const own = { groupid: theirs.ids.groupid, kind: 4, cpeIds: "", isp: "电信" };
    expect(await window(own, theirs.token)).toMatchObject({ code: 0 });
    await setLinks(sites.slice(0, 1), false);
    await evaluate();
    expect(await groups()).toHaveLength(1);
    expect(
      await api.get(alarmWindow.ops.list.path, { page: 1, limit: 9 }, mine.token),
    ).toMatchObject({ count: 0 });
  });
});
