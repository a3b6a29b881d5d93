/** IPv6 of WAN links: what is saved, what devices report of it, and what is shown. */
import { line } from "@weft/contract/domains/devices/line.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { keepIpv6, openPresence } from "#domains/devices/presence/public.ts";
import { done, type SiteWorld, siteWorld } from "./site-world.ts";
import { wireDraft } from "./tenants.ts";

let world: SiteWorld;
let cpe: number;
beforeAll(async () => {
  world = await siteWorld();
  cpe = await world.addCpe();
}, 120_000);
afterAll(() => world.loop.close());

const draft = (more: object) =>
  wireDraft("line", "valid", world.home.ids, { nodeId: cpe, ...more });
const shown = async () => (await world.rows(line.ops.list, { nodeId: cpe }))[0];
const device = () => ({
  node: cpe,
  enterpriseId: Number(world.home.ids.groupid),
  sn: "x",
  publicKey: "x",
});
const reports = (address: string | null, validMs: number | null) =>
  keepIpv6(world.loop.pools, device(), {
    type: "ipv6",
    lines: [
      {
        interfaceName: "wan4",
        address,
        gateway: address && "fe80::1",
        validMs,
        prefix: address && "2001:db8:f000::/56",
        prefixMs: null,
      },
    ],
  });

test("a client that knows nothing of IPv6 leaves it off, and its database refuses what its forms do", async () => {
  const { ipv6Mode: _mode, ip6: _ip, gateway6: _gateway, ...earlier } = draft({});
  expect(await world.post(line.ops.add, earlier)).toMatchObject(done);
  expect(await shown()).toMatchObject({ ipv6Mode: "off", ip6: null, ipv6State: null });
  const set = (assignment: string) =>
    inScope(world.loop.pools.owner, { kind: "all" }, (trx) =>
      sql`update weft.line set ${sql.raw(assignment)} where node_id = ${cpe}`.execute(trx),
    );
  await expect(set("ipv6_mode = 'static'")).rejects.toThrow("line_static_ipv6");
  await expect(set("prefix_length = 65")).rejects.toThrow("prefix_length");
  await expect(set("ip6 = '198.51.100.7/24'")).rejects.toThrow("ip6");
  await expect(set("gateway6 = '2001:db8::1/64'")).rejects.toThrow("gateway6");
});

test("a row shows what its device has: nothing known, not able, waiting, an address and since when", async () => {
  const row = await shown();
  const edited = { ...draft({ ipv6Mode: "auto", ip6: "", gateway6: "" }), id: row?.id };
  expect(await world.post(line.ops.edit, edited)).toMatchObject(done);
  expect(await shown()).toMatchObject({ ipv6Mode: "auto", ipv6State: "unknown" });
  await openPresence(world.loop.pools, device(), "here", "192.0.2.1");
  const able = (names: readonly string[]) =>
    inScope(world.loop.pools.owner, { kind: "all" }, (trx) =>
      sql`update weft.node_status set capabilities = ${JSON.stringify(
        names.map((name) => ({ name, can: true, reason: null })),
      )}::jsonb where node_id = ${cpe}`.execute(trx),
    );
  await able(["dhcp"]);
  expect(await shown()).toMatchObject({ ipv6State: "unsupported" });
  await able(["dhcp", "wan.ipv6"]);
  await reports(null, null);
  expect(await shown()).toMatchObject({ ipv6State: "waiting", currentIp6: null, ipv6Since: null });
  await reports("2001:db8:2::7/64", 3_600_000);
  const first = await shown();
  expect(first).toMatchObject({
    ipv6State: "up",
    currentIp6: "2001:db8:2::7/64",
    currentGateway6: "fe80::1",
    currentPrefix: "2001:db8:f000::/56",
  });
  const until = Date.parse(`${first?.ipv6Until}Z`) - Date.parse(`${first?.ipv6Since}Z`);
  expect(until).toBe(3_600_000);
  // Renewed, it is the same address; another one begins anew.
  await inScope(world.loop.pools.owner, { kind: "all" }, (trx) =>
    sql`update weft.node_status set ipv6_lines = jsonb_set(ipv6_lines, '{0,since}', '1000')
      where node_id = ${cpe}`.execute(trx),
  );
  await reports("2001:db8:2::7/64", null);
  expect(await shown()).toMatchObject({ ipv6Since: "1970-01-01 00:00:01", ipv6Until: null });
  await reports("2001:db8:3::7/64", null);
  expect((await shown())?.ipv6Since).not.toBe("1970-01-01 00:00:01");
});

test("an address in a LAN of the site is refused", async () => {
  const lan = wireDraft("lansection", "valid", world.home.ids, { nCpeID: cpe });
  await world.loop.api.post("/customer/lansection/add", lan, world.home.token);
  const row = await shown();
  const edited = draft({ ipv6Mode: "static", ip6: "fd00:77:1::9/64", gateway6: "fd00:77:1::1" });
  expect(await world.post(line.ops.edit, { ...edited, id: row?.id })).toMatchObject({
    code: 400,
    issues: [{ path: "ip6", rule: "overlap" }],
  });
});
