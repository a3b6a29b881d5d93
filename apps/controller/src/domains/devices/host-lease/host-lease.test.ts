import { maxLeases } from "@weft/contract/device/v1/leases.ts";
import { fromEdge } from "@weft/contract/device/v1/messages.ts";
import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepLeases, openPresence } from "#domains/devices/presence/public.ts";
import { done, type SiteWorld, siteWorld } from "../../../../test/site-world.ts";

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
  await openPresence(pools, device, "here", "192.0.2.1");
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
