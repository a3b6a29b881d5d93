/** A row for which a device's configuration has no room is refused where it is written, by every writer. */
import { type StateLimit, stateLimits } from "@weft/contract/device/v1/limits.ts";
import { sectionLimits } from "@weft/contract/device/v1/sections.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type People, people } from "./people.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let all: People;
let count = 0;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

const run = (query: ReturnType<typeof sql>) => query.execute(all.api.database.pools.owner.db);
const idsOf = (cpeId: number) => ({ groupid: all.agent, cpeId, popId: cpeId });
async function addCpe(groupid = all.agent): Promise<number> {
  count += 1;
  const draft = wireDraft("cpe", "valid", idsOf(0), {
    groupid,
    sn: `ROOM-${count}`,
    alias: `room-${count}`,
  });
  return newIdOf(await all.api.post("/customer/cpe/insertNew", draft, all.admin));
}
const add = (path: string, draft: object) => all.api.post(path, draft, all.admin);
const addSegment = (cpeId: number, replaced: object) =>
  add(
    lanSection.ops.add.path,
    wireDraft("lansection", "valid", idsOf(cpeId), { network6: "", vlan: 0, ...replaced }),
  );
/** Segments made in one statement: `make` gives interface, VLAN and network of the nth. */
const segments = (cpeId: number, n: number, make: ReturnType<typeof sql>) =>
  run(sql`insert into weft.lan_section (enterprise_id, node_id, interface_name, vlan, network,
      enable_forward)
    select ${all.agent}::bigint, ${cpeId}::bigint, made.*, false
    from generate_series(1, ${n}) n cross join lateral (select ${make}) made`);
/** Each /24 of 10.0.0.0/8 from `first` on: no two sites of a space announce one network. */
const notices = (cpeId: number, n: number, first = 0) =>
  run(sql`insert into weft.route_notice (enterprise_id, node_id, network, enabled)
    select ${all.agent}::bigint, ${cpeId}::bigint, '10.' || n / 256 || '.' || n % 256 || '.0/24', true
    from generate_series(${first + 1}::int, ${first + n}::int) n`);

/** A space of the agent with all networks that it can have, and the CPE in it. */
async function fullSpace(cpeId: number, name: string): Promise<void> {
  const others: number[] = [];
  for (let left: number = stateLimits.spaceNetworks; left > 0; left -= 4_000) {
    const other = await addCpe();
    await notices(other, Math.min(left, 4_000), left);
    others.push(other);
  }
  const draft = { name, cpeIds: [cpeId, ...others].join(","), popIds: "" };
  const ids = { ...idsOf(cpeId), popId: cpeId };
  newIdOf(await add(netSpace.ops.add.path, wireDraft("netSpace", "valid", ids, draft)));
}

/** Fills the device up to the limit; the call would write one more. */
const cases: Partial<Record<StateLimit, (cpeId: number) => Promise<unknown>>> = {
  async staticRoutes(cpeId) {
    await run(sql`insert into weft.static_route (enterprise_id, node_id, destination, next_hop, metric)
      select ${all.agent}::bigint, ${cpeId}::bigint, '10.' || n / 256 || '.' || n % 256 || '.0/24',
        '192.0.2.1', 1
      from generate_series(1, ${stateLimits.staticRoutes}) n`);
    const draft = { nCpeID: cpeId, destination: "172.20.0.0/24", nextHop: "192.0.2.1" };
    return add(staticRoute.ops.add.path, wireDraft("staticroute", "valid", idsOf(cpeId), draft));
  },
  async lanSegments(cpeId) {
    await segments(
      cpeId,
      stateLimits.lanSegments,
      sql`'e' || n % 60, 0, '10.' || n / 256 || '.' || n % 256 || '.1/24'`,
    );
    return addSegment(cpeId, { network: "172.20.0.1/24", interfaceName: "e1" });
  },
  async lanInterfaces(cpeId) {
    await segments(cpeId, stateLimits.lanInterfaces, sql`'e0', n, '10.0.' || n || '.1/24'`);
    return addSegment(cpeId, { network: "172.20.0.1/24", interfaceName: "e1" });
  },
  async lanAddresses(cpeId) {
    await segments(cpeId, stateLimits.lanAddresses - 1, sql`'e0', 0, '10.0.' || n || '.1/24'`);
    newIdOf(await addSegment(cpeId, { network: "172.20.0.1/24", interfaceName: "e0" }));
    return addSegment(cpeId, { network: "172.21.0.1/24", interfaceName: "e0" });
  },
  async announced(cpeId) {
    await notices(cpeId, stateLimits.announced);
    const draft = { cpeId, network: "172.20.0.0/24" };
    return add(routeNotice.ops.add.path, wireDraft("routeNotice", "valid", idsOf(cpeId), draft));
  },
  async spaceNetworks(cpeId) {
    await fullSpace(cpeId, "room");
    newIdOf(await addSegment(cpeId, { network: "172.20.0.1/24", enableForward: 0 }));
    return addSegment(cpeId, { network: "172.21.0.1/24", enableForward: 1 });
  },
};

test.each(Object.entries(cases))(
  "%s: one too many is refused, with its limit",
  async (limit, fill) => {
    const cpeId = await addCpe();
    const answer = (await fill(cpeId)) as { code: number; msg: string };
    expect(answer).toMatchObject({ code: 422 });
    expect(answer.msg).toContain(String(stateLimits[limit as StateLimit]));
    expect(answer.msg).toMatch(/room/);
  },
);

test("a full space is named to its own enterprise alone", async () => {
  const cpeId = await addCpe(all.below);
  await fullSpace(cpeId, "secret-merger");
  const role = await all.addRole(all.admin, {
    groupid: all.below,
    roleType: 1,
    dataScope: 3,
    authorities: "lansectionAdd",
  });
  const { token } = await all.person(all.below, [newIdOf(role)]);
  const segment = wireDraft("lansection", "valid", idsOf(cpeId), {
    network: "172.21.0.1/24",
    network6: "",
    vlan: 0,
    enableForward: 1,
  });
  const refused = (who: string) => all.api.post(lanSection.ops.add.path, segment, who);
  const [own, below] = [await refused(all.admin), await refused(token)];
  expect([own.code, below.code]).toEqual([422, 422]);
  expect(own.msg).toContain("secret-merger");
  expect(below.msg).not.toContain("secret-merger");
  expect(below.msg).toContain(`room-`);
}, 60_000);

test("every limit that rows are held by is tried here or where its rows are written", () => {
  const held = new Set(
    Object.values(sectionLimits).flatMap((one) => ("rows" in one ? [one.rows] : [])),
  );
  // acl-rule and mobile-account refuse these two and try them in tests of their own.
  for (const own of ["aclRules", "clientPeers"] as const) held.delete(own);
  expect([...held].sort()).toEqual(Object.keys(cases).sort());
});
