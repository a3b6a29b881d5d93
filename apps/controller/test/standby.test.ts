/** Hot standby of CPEs (specification section 5). */
import { cpeFindAllByGroup } from "@weft/contract/domains/devices/cpe-actions.ts";
import { cpeEditStandby } from "@weft/contract/domains/devices/cpe-standby.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { done, type SiteWorld, siteWorld } from "./site-world.ts";

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
