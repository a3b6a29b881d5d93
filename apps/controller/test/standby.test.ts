/** Hot standby of CPEs (specification section 5). */
import { cpeFindAllByGroup } from "@weft/contract/domains/devices/cpe-actions.ts";
import { cpeEditStandby } from "@weft/contract/domains/devices/cpe-standby.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepStandby, openPresences } from "#domains/devices/presence/public.ts";
import { done, type SiteWorld, siteWorld } from "./site-world.ts";
import { wireDraft } from "./tenants.ts";

let world: SiteWorld;
beforeAll(async () => {
  world = await siteWorld();
}, 120_000);
afterAll(() => world.loop.close());

test("endpoints:cpe.editStandby a standby group has one active and one standby device", async () => {
  const [one, two] = [await world.addCpe(), await world.addCpe()];
  const put = (cpeId: number, hotStandbyRole: string, who = world.home) =>
    world.post(
      cpeEditStandby,
      { cpeId, hotStandbyGroup: 9, hotStandbyRole, hotStandbyPriority: 100 },
      who,
    );
  expect(await put(one, "active")).toMatchObject(done);
  expect(await put(two, "active")).toMatchObject({
    code: 400,
    issues: [{ path: "hotStandbyRole", rule: "taken" }],
  });
  expect(await put(two, "standby")).toMatchObject(done);
  expect(await put(two, "standby", world.other)).toMatchObject({ code: 404 });
  expect(await world.post(cpeEditStandby, { cpeId: one, hotStandbyGroup: 9 })).toMatchObject({
    code: 400,
    issues: [{ path: "hotStandbyRole" }, { path: "hotStandbyPriority" }],
  });
  expect(await world.post(cpeEditStandby, { cpeId: one })).toMatchObject(done);
  const places = await world.rows(cpeFindAllByGroup, world.home.ids);
  const placed = places.filter(({ id }) => id === one || id === two);
  expect(placed.map((row) => [row.hotStandbyGroup, row.hotStandbyRole]).sort()).toEqual([
    [null, null],
    [9, "standby"],
  ]);
});

const lanOf = (world: SiteWorld, nCpeID: number, more: object) =>
  world.post(
    lanSection.ops.add,
    wireDraft("lansection", "valid", world.home.ids, {
      nCpeID,
      network: "10.66.1.1/24",
      network6: "",
      enableForward: 1,
      ...more,
    }),
  );
const place = (cpeId: number, role: string, priority: number, group = 11) => ({
  cpeId,
  hotStandbyGroup: group,
  hotStandbyRole: role,
  hotStandbyPriority: priority,
});

describe("two devices of one site", () => {
  let ids: [number, number];
  beforeAll(async () => {
    ids = [await world.addCpe(), await world.addCpe()];
    const space = { name: "pair", cpeIds: ids.join(), popIds: "", groupid: world.home.ids.groupid };
    expect(
      await world.post(netSpace.ops.add, wireDraft("netSpace", "valid", world.home.ids, space)),
    ).toMatchObject(done);
  });

  test("share a LAN only with a gateway for both and an own address for each", async () => {
    const [one, two] = ids;
    expect(await lanOf(world, one, { ownAddress: "10.66.1.2" })).toMatchObject(done);
    // Not before they are one site.
    expect(await lanOf(world, two, { ownAddress: "10.66.1.3" })).toMatchObject({
      issues: [{ path: "network", rule: "overlap" }],
    });
    expect(await world.post(cpeEditStandby, place(one, "active", 200))).toMatchObject(done);
    expect(await world.post(cpeEditStandby, place(two, "standby", 100))).toMatchObject(done);
    for (const [more, path, rule] of [
      [{ ownAddress: "" }, "ownAddress", "required"],
      [{ ownAddress: "10.66.1.2" }, "ownAddress", "taken"],
      [{ ownAddress: "10.66.1.1" }, "ownAddress", "hostOf"],
      [{ ownAddress: "10.66.2.3" }, "ownAddress", "hostOf"],
      [{ network: "10.66.1.9/24", ownAddress: "10.66.1.3" }, "network", "overlap"],
    ] as const)
      expect(await lanOf(world, two, more)).toMatchObject({ issues: [{ path, rule }] });
    expect(await lanOf(world, two, { ownAddress: "10.66.1.3" })).toMatchObject(done);
    const third = await world.addCpe();
    expect(await world.post(cpeEditStandby, place(third, "active", 9, 12))).toMatchObject(done);
    expect(
      await world.post(netSpace.ops.edit, {
        ...wireDraft("netSpace", "valid", world.home.ids, { name: "pair", popIds: "" }),
        id: (await spaces())[0]?.id,
        cpeIds: [...ids, third].join(),
      }),
    ).toMatchObject(done);
    expect(await lanOf(world, third, { ownAddress: "10.66.1.4" })).toMatchObject({
      issues: [{ path: "network", rule: "overlap" }],
    });
  });

  test("are no finding of each other for the LAN that they share", async () => {
    const { db } = world.loop.pools.owner;
    await sql`select weft.note_network_findings('{}', array(
      select space_id from weft.space_member where node_id = any(${ids}::bigint[])))`.execute(db);
    const { rows } = await sql`
      select object, params from weft.node_finding where node_id = any(${ids}::bigint[]) and source = 'networks'`.execute(
      db,
    );
    expect(rows).toEqual([]);
  });

  test("give hosts of a LAN that they share no address of one of them", async () => {
    const [one, two] = ids;
    const [shared] = await world.rows(lanSection.ops.list, { nCpeID: two });
    const edit = (more: object) =>
      world.post(lanSection.ops.edit, {
        ...wireDraft("lansection", "valid", world.home.ids, { nCpeID: two, network6: "" }),
        id: shared?.id,
        network: "10.66.1.1/24",
        ownAddress: "10.66.1.3",
        ...more,
      });
    for (const [more, path, rule] of [
      [{ dhcpStart: "10.66.1.2", dhcpEnd: "10.66.1.2" }, "dhcpStart", "rangeHas"],
      [{ dhcpStart: "10.66.1.3", dhcpEnd: "10.66.1.9" }, "dhcpStart", "rangeHas"],
      [{ dhcpStart: "10.66.2.3", dhcpEnd: "10.66.2.9" }, "dhcpStart", "outsideSection"],
      [{ dhcpStart: "10.66.1.9", dhcpEnd: "10.66.1.8" }, "dhcpEnd", "order"],
      [{ dhcpStart: "10.66.1.9" }, "dhcpEnd", "required"],
    ] as const)
      expect(await edit(more)).toMatchObject({ code: 400, issues: [{ path, rule }] });
    expect(await edit({ dhcpStart: "10.66.1.50", dhcpEnd: "10.66.1.60" })).toMatchObject(done);
    const [own] = await world.rows(lanSection.ops.list, { nCpeID: one });
    const moved = {
      ...wireDraft("lansection", "valid", world.home.ids, { nCpeID: one, network6: "" }),
      id: own?.id,
      network: "10.66.1.1/24",
    };
    expect(
      await world.post(lanSection.ops.edit, { ...moved, ownAddress: "10.66.1.55" }),
    ).toMatchObject({ code: 400, issues: [{ path: "ownAddress", rule: "taken" }] });
    expect(await edit({})).toMatchObject(done);
  });

  test("have priorities that match their roles", async () => {
    const [one, two] = ids;
    const refused = { issues: [{ path: "hotStandbyPriority", rule: "standbyOrder" }] };
    expect(await world.post(cpeEditStandby, place(one, "active", 99))).toMatchObject(refused);
    expect(await world.post(cpeEditStandby, place(two, "standby", 201))).toMatchObject(refused);
    expect(await world.post(cpeEditStandby, place(two, "standby", 200))).toMatchObject(done);
  });

  test("stay one site while they share a LAN in one space", async () => {
    expect(await world.post(cpeEditStandby, { cpeId: ids[1] })).toMatchObject({
      code: 400,
      issues: [{ path: "hotStandbyGroup" }],
    });
  });

  test("are shown as they report, and the active one is alone without the other", async () => {
    const [one, two] = ids;
    const { pools } = world.loop;
    const enterpriseId = Number(world.home.ids.groupid);
    const seen = async () => {
      const rows = await world.rows(cpeFindAllByGroup, world.home.ids);
      return ids.map((id) => rows.find((row) => row.id === id)?.standbyState);
    };
    const deviceOf = (node: number) => ({ node, enterpriseId, sn: "x", publicKey: "x" });
    const opened = ids.map((id) => ({
      device: deviceOf(id),
      gateway: "here",
      address: "192.0.2.1",
    }));
    await openPresences(pools, opened, {});
    expect(await seen()).toEqual([null, null]);
    const says = (node: number, standing: "active" | "standby" | "fault" | null) =>
      keepStandby(pools, deviceOf(node), { type: "standby", place: standing, forMs: 60_000 });
    await says(one, "active");
    expect(await seen()).toEqual(["alone", null]);
    await says(two, "standby");
    expect(await seen()).toEqual(["active", "standby"]);
    await says(two, "fault");
    expect(await seen()).toEqual(["alone", "fault"]);
  });

  const spaces = () => world.rows(netSpace.ops.list, { ...world.home.ids, page: 1, limit: 10 });
});
