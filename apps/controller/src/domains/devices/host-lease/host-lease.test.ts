import { maxLeases } from "@weft/contract/device/v1/leases.ts";
import { fromEdge } from "@weft/contract/device/v1/messages.ts";
import { dhcpReservation } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepLeases, openPresences } from "#domains/devices/presence/public.ts";
import { done, type SiteWorld, siteWorld } from "../../../../test/site-world.ts";
import { wireDraft } from "../../../../test/tenants.ts";

let world: SiteWorld;
let id: number;
beforeAll(async () => {
  world = await siteWorld();
  id = await world.addCpe({});
}, 120_000);
afterAll(() => world.loop.close());

const soon = Date.now() + 3_600_000;
const lease = (last: number, until = soon) => ({
  address: `10.1.1.${last}`,
  mac: "02:00:00:00:00:07",
  name: "till-7",
  until,
});

test("a CPE lists leases that hold, by address, and only to those who have the CPE", async () => {
  expect(await world.get(cpeLeases, { id })).toMatchObject({ ...done, data: { items: [] } });
  const { pools } = world.loop;
  const enterpriseId = Number(world.home.ids.groupid);
  const device = { node: id, enterpriseId, sn: "x", publicKey: "x" };
  await openPresences(pools, [{ device, gateway: "here", address: "192.0.2.1" }], {});
  const items = [lease(200), lease(9), lease(7, Date.now() - 1_000)];
  await keepLeases(pools, device, { type: "leases", items, total: 1_500 });
  const { data } = await world.get(cpeLeases, { id });
  expect(data).toMatchObject({
    items: [{ address: "10.1.1.9", name: "till-7" }, { address: "10.1.1.200" }],
    total: 1_499,
  });
  expect(await world.get(cpeLeases, { id }, world.other)).toMatchObject({ code: 404 });
  await keepLeases(pools, device, { type: "leases", items: [], total: 0 });
  expect(await world.get(cpeLeases, { id })).toMatchObject({ data: { items: [], total: 0 } });
});

test("a message with more of them, or with a name that is none, is refused as a whole", () => {
  const message = (items: readonly object[]) =>
    fromEdge.safeParse({ type: "leases", items, total: items.length }).success;
  expect(message([lease(1)])).toBe(true);
  expect(message(Array.from({ length: maxLeases + 1 }, () => lease(1)))).toBe(false);
  for (const name of ["a\u0000b", "<b>", "a b", "", "\u202Ex", "x".repeat(64)])
    expect(message([{ ...lease(1), name }])).toBe(false);
  expect(message([{ ...lease(1), address: "10.1.1" }])).toBe(false);
});

test("a lease has start time, vendor, LAN and reservation state", async () => {
  const { pools } = world.loop;
  const enterpriseId = Number(world.home.ids.groupid);
  const device = { node: id, enterpriseId, sn: "x", publicKey: "x" };
  const report = (items: readonly object[]) =>
    keepLeases(pools, device, { type: "leases", items: items as never, total: items.length });
  const of = async () => {
    const { data } = await world.get(cpeLeases, { id });
    return (data as { items: Record<string, unknown>[] }).items;
  };
  const lan = wireDraft("lansection", "valid", world.home.ids, {
    nCpeID: id,
    network: "10.1.1.1/24",
    network6: "",
    enableForward: 0,
  });
  expect(await world.post(lanSection.ops.add, lan)).toMatchObject(done);
  const reserve = (mac: string, address: string) =>
    world.post(dhcpReservation.ops.add, {
      ...wireDraft("dhcpReservation", "valid", world.home.ids, { hostName: "" }),
      nCpeID: id,
      mac,
      address,
    });
  const maker = { ...lease(7), mac: "00:00:0c:00:00:07" };
  const phone = { ...lease(8), mac: "02:00:00:00:00:08" };
  const far = { ...lease(9), address: "10.9.9.9", mac: "00:00:0c:00:00:09" };
  await report([maker, phone, far]);
  expect(await reserve(maker.mac, maker.address)).toMatchObject(done);
  expect(await reserve("00:00:0c:00:00:99", phone.address)).toMatchObject(done);
  const [first, second, third] = await of();
  expect(first).toMatchObject({
    vendor: "Cisco Systems, Inc",
    isLocalMac: false,
    network: "10.1.1.0/24",
    reserved: "own",
  });
  expect(second).toMatchObject({ vendor: null, isLocalMac: true, reserved: "other" });
  expect(third).toMatchObject({ network: null, reserved: null });
  // Renewed it is the same lease; a host that was away, or is another one, has one since now. Times have seconds.
  const before = Date.parse(String(second?.since));
  await expect.poll(() => Date.now(), { timeout: 30_000 }).toBeGreaterThan(before + 1_000);
  await report([
    { ...maker, until: soon + 9_000 },
    { ...phone, mac: "02:00:00:00:00:0a" },
  ]);
  const [again, other] = await of();
  expect(again?.since).toBe(first?.since);
  expect(Date.parse(String(other?.since))).toBeGreaterThan(before);
});
