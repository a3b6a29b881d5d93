/** IPv6 of WAN links: what is saved, what devices report of it, and what is shown. */
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { keepIpv6, openPresences } from "#domains/devices/presence/public.ts";
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

test("a client without IPv6 leaves it off, and the database refuses what forms refuse", async () => {
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
  await openPresences(
    world.loop.pools,
    [{ device: device(), gateway: "here", address: "192.0.2.1" }],
    {},
  );
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

test("a LAN in the network of a line is refused, and the first address of a network as one of a line", async () => {
  const row = await shown();
  const edit = (more: object) =>
    world.post(line.ops.edit, { ...draft({ ipv6Mode: "static", ...more }), id: row?.id });
  expect(await edit({ ip6: "fd00:77:1::/64", gateway6: "fe80::1" })).toMatchObject({
    code: 400,
    issues: [{ path: "ip6", rule: "hostAddress" }],
  });
  expect(await edit({ ip6: "fd00:77:1::2/64", gateway6: "fe80::1" })).toMatchObject(done);
  const lan = (more: object) =>
    world.loop.api.post(
      "/customer/lansection/add",
      wireDraft("lansection", "valid", world.home.ids, { nCpeID: cpe, ...more }),
      world.home.token,
    );
  expect(await lan({})).toMatchObject({
    code: 400,
    issues: [{ path: "network6", rule: "overlap", params: { value: "fd00:77:1::2/64" } }],
  });
  // What a line had while it was static is nobody's.
  expect(await edit({ ipv6Mode: "auto", ip6: "fd00:77:1::2/64" })).toMatchObject(done);
  const added = await lan({ interfaceName: "lan8" });
  expect(added).toMatchObject(done);
  const { id } = added.data as { id: number };
  await world.loop.api.post("/customer/lansection/remove", { ids: id }, world.home.token);
});

test("a router outside of the line's network is saved with a warning, and one of the link is not", async () => {
  const row = await shown();
  const warningsOf = async (ip6: string, gateway6: string) => {
    const edited = { ...draft({ ipv6Mode: "static", ip6, gateway6 }), id: row?.id };
    const answer = await world.post(line.ops.edit, edited);
    expect(answer).toMatchObject(done);
    return (answer.warnings ?? []).map(({ path, warning }) => `${path} ${warning}`);
  };
  expect(await warningsOf("2001:db8:7::2/64", "2001:db8:8::1")).toEqual([
    "gateway6 gatewayOutside",
  ]);
  for (const [ip6, gateway6] of [
    ["2001:db8:7::2/64", "2001:db8:7::1"],
    ["2001:db8:7::2/64", "fe80::1"],
    ["2001:db8:7::2/128", "2001:db8:8::1"],
  ] as const) {
    expect(await warningsOf(ip6, gateway6), gateway6).toEqual([]);
  }
});

test("a device is not the router of its own line, whichever is saved first", async () => {
  const row = await shown();
  const own = { ip: "203.0.113.9/32", gateway: "10.64.0.1", ip6: "2001:db8:7::2/64" };
  const edit = (more: object) =>
    world.post(line.ops.edit, {
      ...draft({ ipv6Mode: "static", gateway6: "fd00:9::1", ...own, ...more }),
      id: row?.id,
    });
  expect(await edit({})).toMatchObject(done);
  const lan = (more: object) =>
    world.loop.api.post(
      "/customer/lansection/add",
      wireDraft("lansection", "valid", world.home.ids, {
        nCpeID: cpe,
        interfaceName: "lan7",
        network: "10.65.0.1/24",
        network6: "",
        ipv6Slot: "",
        ipv6Subnet: "",
        ...more,
      }),
      world.home.token,
    );
  const isRouter = (path: string, value: string) => ({
    code: 400,
    issues: [{ path, rule: "overlap", params: { value } }],
  });
  expect(await lan({ network: "10.64.0.1/24" })).toMatchObject(isRouter("network", "10.64.0.1"));
  expect(await lan({ network6: "fd00:9::1/64" })).toMatchObject(isRouter("network6", "fd00:9::1"));
  expect(await lan({ network6: "fd00:9::2/64" })).toMatchObject(done);
  expect(await edit({ gateway: "10.65.0.1" })).toMatchObject(isRouter("gateway", "10.65.0.1/24"));
  expect(await edit({ gateway6: "fd00:9::2" })).toMatchObject(isRouter("gateway6", "fd00:9::2/64"));
});

test("the address of a controller is no line's, and is warned of in the network of one", async () => {
  const row = await shown();
  const edit = (ip6: string) =>
    world.post(line.ops.edit, {
      ...draft({ ipv6Mode: "static", ip6, gateway6: "fe80::1" }),
      id: row?.id,
    });
  await inScope(world.loop.pools.owner, { kind: "all" }, (trx) =>
    sql`update weft.installation set edge_addresses = edge_addresses || '{wss://[2001:db8:c::1]:8443}'`.execute(
      trx,
    ),
  );
  expect(await edit("2001:db8:c::1/128")).toMatchObject({
    code: 400,
    issues: [{ path: "ip6", rule: "controllerAddress" }],
  });
  expect(await edit("2001:db8:c::2/64")).toMatchObject({
    code: 0,
    warnings: [{ path: "ip6", warning: "controllerOnLine" }],
  });
  expect(await edit("2001:db8:d::2/64")).not.toHaveProperty("warnings");
});

test("two LANs of a CPE name two networks of a prefix, and sections of one LAN name one", async () => {
  const node = await world.addCpe();
  const lan = (interfaceName: string, at: number, more: object) =>
    wireDraft("lansection", "valid", world.home.ids, {
      nCpeID: node,
      interfaceName,
      network: `10.88.${at}.1/24`,
      network6: "",
      ownAddress: "",
      ...more,
    });
  const post = (verb: "add" | "edit", fields: object) =>
    world.loop.api.post(`/customer/lansection/${verb}`, fields, world.home.token);
  expect(await post("add", lan("lan1", 1, { ipv6Slot: "", ipv6Subnet: 7 }))).toMatchObject({
    code: 400,
    issues: [{ path: "ipv6Slot", rule: "required" }],
  });
  const both = { ipv6Slot: 1, ipv6Subnet: 7 };
  expect(await post("add", lan("lan1", 1, both))).toMatchObject(done);
  expect(await post("add", lan("lan1", 2, both))).toMatchObject(done);
  const used = {
    code: 400,
    issues: [{ path: "ipv6Subnet", rule: "inUse", params: { value: "7", other: "lan1" } }],
  };
  expect(await post("add", lan("lan2", 3, both))).toMatchObject(used);
  expect(await post("add", lan("lan1", 4, { ...both, vlan: 9 }))).toMatchObject(used);
  const free = [
    { ipv6Slot: 1, ipv6Subnet: 8 },
    { ipv6Slot: 2, ipv6Subnet: 7 },
    { ipv6Slot: 1, ipv6Subnet: "" },
  ];
  for (const [at, own] of free.entries()) {
    const answer = await post("add", lan(`lan1${at}`, 10 + at, own));
    expect(answer, JSON.stringify(own)).toMatchObject(done);
  }
  const rows = (await world.rows(lanSection.ops.list, { nCpeID: node })) as {
    id: number;
    interfaceName: string;
  }[];
  const other = rows.find(({ interfaceName }) => interfaceName === "lan10");
  expect(await post("edit", { ...lan("lan10", 10, both), id: other?.id })).toMatchObject(used);
  // Of two at the same moment one is admitted.
  const answers = await Promise.all(
    [31, 32, 33].map((at) => post("add", lan(`lan${at}`, at, { ipv6Slot: 3, ipv6Subnet: 1 }))),
  );
  expect(answers.map(({ code }) => code).sort()).toEqual([0, 400, 400]);
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
