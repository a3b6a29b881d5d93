/** Rules that the real nft or kernel refuses, with packets: the others act, and what was to be denied does not pass. */
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { firewallSection } from "@weft/contract/device/v1/firewall.ts";
import { groupsSection } from "@weft/contract/device/v1/groups.ts";
import { filtersOf } from "@weft/contract/device/v1/name-filters.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { succeeds } from "#drivers/exec.ts";
import { askName } from "../../../test/netns/ask-name.ts";
import { type NetnsEdge, pings } from "../../../test/netns/host.ts";
import { refuseInNft } from "../../../test/netns/refusing-nft.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

const {
  site,
  addresses: [own1],
  state: base,
} = twoCableSite;
const internet = "192.0.2.1";
/** Addresses of the host. */
const [host, second] = ["10.0.0.100", "10.0.0.77"];

let world: World;
let edge: NetnsEdge;

const rule = (id: number, change: Partial<AclRuleState>): AclRuleState => ({
  action: "drop",
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  mac: null,
  object: { family: "xaclrules", id },
  ...change,
});
const portMapping = (id: number, outside: number) => ({
  id,
  protocol: "tcp" as const,
  outside: `${outside}`,
  host,
  inside: "80",
  slot: null,
});
const withRules = (
  acl: readonly AclRuleState[],
  policy: Partial<NonNullable<DesiredState["policy"]>> = {},
): DesiredState => ({
  ...base,
  firewall: { ...base.firewall, acl: [...acl] },
  policy: { sets: [], limits: [], ...policy },
});

const deliver = async (state: DesiredState): Promise<readonly string[]> => {
  await edge.ask("deliver", state);
  await edge.ask("confirm");
  expect(await edge.plan(state)).toEqual([]);
  const found = (await edge.ask("validate", state)) as readonly Finding[];
  return found.map(({ kind, object, reason, params: { why, denies } }) =>
    [kind, object, reason, ...(denies === undefined ? [] : [denies]), why].join(" | "),
  );
};
const cpe = () => world.cpes[1].run;
const rules = (): Promise<string> => cpe()(["nft", "list", "table", "inet", "weft"]);
const passesFrom = (source: string): Promise<boolean> =>
  succeeds(world.hosts[1].run, [
    "ping",
    "-n",
    "-c",
    "2",
    "-i",
    "0.2",
    "-W",
    "1",
    "-I",
    source,
    internet,
  ]);
/** By TCP: a refused connection has reached the other end. */
const reaches = async (port: number, source = host): Promise<boolean> => {
  const script = `const s = require("node:net").connect({ host: "${internet}", port: ${port}, localAddress: "${source}" });
    s.on("connect", () => process.exit(0)); s.on("error", (e) => process.exit(e.code === "ECONNREFUSED" ? 0 : 1));
    setTimeout(() => process.exit(1), 1500);`;
  return succeeds(world.hosts[1].run, [process.execPath, "-e", script]);
};

setUpTwoCableSite(async (machines) => {
  ({ world } = machines);
  await world.hosts[1].run(["ip", "addr", "add", `${second}/24`, "dev", "eth0"]);
  edge = await world.cpes[1].edge(site.key);
  await edge.ask("boot", base);
  await deliver(base);
  await waitUntil("a host", () => pings(world.hosts[1], internet), 60_000, 200);
});

describe("an ACL rule that the contract takes and nft does not", { timeout: 240_000 }, () => {
  it("with addresses of two families: all from its source is denied, and the others act", async () => {
    const mixed = rule(1, { source: `${second}/32`, target: "2001:db8::/32" });
    const state = withRules([mixed, rule(2, { protocol: "tcp", targetPort: "4445" })], {
      portMaps: [portMapping(3, 8_081)],
    });
    expect(firewallSection.safeParse(state.firewall).success).toBe(true);
    const [finding, ...others] = await deliver(state);
    expect(finding).toMatch(/^aclRule \| 1 \| refusedBroader \| any 10\.0\.0\.77\/32 > \* \| ./);
    expect(others).toEqual([]);
    await waitUntil("the first address", () => passesFrom(host), 60_000, 200);
    expect(await passesFrom(second)).toBe(false);
    expect(await reaches(4_446)).toBe(true);
    expect(await reaches(4_445)).toBe(false);
    expect(await rules()).toMatch(/dport 8081 .*dnat ip to 10\.0\.0\.100:80/);
    expect(await rules()).toContain(`ip daddr ${own1} jump c_map_1`);
  });

  it("with a port that there is not: what allows it does not, and what denies it denies all ports", async () => {
    const port = { protocol: "tcp", targetPort: "70000" } as const;
    const allowed = await deliver(
      withRules([rule(1, { ...port, action: "accept" }), rule(2, { protocol: "tcp" })]),
    );
    expect(allowed).toEqual(["aclRule | 1 | refused | Service out of range"]);
    expect(await reaches(4_446)).toBe(false);
    const denied = await deliver(withRules([rule(1, { ...port, source: `${second}/32` })]));
    expect(denied).toEqual([
      `aclRule | 1 | refusedBroader | tcp ${second}/32 > * | Service out of range`,
    ]);
    expect(await reaches(4_446)).toBe(true);
    expect(await reaches(4_446, second)).toBe(false);
    expect(await passesFrom(second)).toBe(true);
  });

  it("holds no state after it up, and acts as saved once it can", async () => {
    const state = withRules([rule(1, { protocol: "tcp", targetPort: "4447" })]);
    expect(await deliver(state)).toEqual([]);
    expect([await reaches(4_446), await reaches(4_447)]).toEqual([true, false]);
  });

  it("stays closed over a restart of the program", async () => {
    const state = withRules([rule(1, { source: `${second}/32`, target: "2001:db8::/32" })]);
    await deliver(state);
    edge = await world.cpes[1].edge(site.key);
    await edge.ask("boot", state);
    expect(await edge.plan(state)).toEqual([]);
    expect([await passesFrom(host), await passesFrom(second)]).toEqual([true, false]);
  });
});

describe("another rule that the kernel refuses", { timeout: 240_000 }, () => {
  it("only where it is loaded: a set that another program has made in the device's table", async () => {
    await deliver(base);
    await cpe()(["nft", "add", "set", "inet", "weft", "s_ip4_7", "{ type inet_service; }"]);
    const state = withRules([rule(2, { protocol: "tcp", targetPort: "4448" })], {
      sets: [{ id: 7, members: ["10.0.0.0/24"] }],
      limits: [{ id: 7, set: 7, connections: 5, perSecond: null }],
    });
    expect((await deliver(state)).join()).toMatch(
      /^connectionLimit \| 7 \| refused \| .*,ipGroup \| 7 \| refused \| ./,
    );
    expect([await reaches(4_446), await reaches(4_448)]).toEqual([true, false]);
    // Only what the state has is left of the set after a load, so that the next try succeeds.
    expect(await deliver({ ...state, node: { ...state.node, hostname: "again" } })).toEqual([]);
    expect(await rules()).toContain("ct count over 5");
  });

  it("by a tool that refuses lines: a port mapping, a limit and a policy route are left out, each with the reason", async () => {
    const end = await refuseInNft(cpe(), ["dport 8082", "ct count over 6", "chain c_route_9 "]);
    const route = { sources: null, targets: null, time: null, nat: true };
    const state = withRules([rule(2, { protocol: "tcp", targetPort: "4449" })], {
      portMaps: [portMapping(3, 8_081), portMapping(4, 8_082)],
      limits: [
        { id: 5, set: null, connections: 5, perSecond: null },
        { id: 6, set: null, connections: 6, perSecond: null },
      ],
      routes: [
        { ...route, id: 8, slots: [1] },
        { ...route, id: 9, slots: [2] },
      ],
    });
    expect(await deliver(state)).toEqual([
      "connectionLimit | 6 | refused | no ct count over 6 here",
      "portMapping | 4 | refused | no dport 8082 here",
      "policyRoute | 9 | refused | no chain c_route_9  here",
    ]);
    const text = await rules();
    for (const acts of ["dport 8081", "ct count over 5", "chain c_route_8 ", "dport 4449"])
      expect(text).toContain(acts);
    expect(await reaches(4_449)).toBe(false);
    expect(await passesFrom(host)).toBe(true);
    await end();
    expect(await deliver({ ...state, node: { ...state.node, hostname: "again" } })).toEqual([]);
    expect(await rules()).toContain("dport 8082");
  });

  it("a network of the space: one around it stays inside until it can be kept by itself", async () => {
    const network = "192.0.2.128/25";
    const state = {
      ...base,
      spaces: (base.spaces ?? []).map((space) => ({
        ...space,
        networks: [...space.networks, network],
      })),
    };
    const end = await refuseInNft(cpe(), ["192.0.2.128-192.0.2.255"]);
    expect(await deliver(state)).toEqual([
      `network | ${network} | closedBroader | 192.0.2.0/24 | no 192.0.2.128-192.0.2.255 here`,
    ]);
    expect(await passesFrom(host)).toBe(false);
    // Only the network itself leads nowhere.
    const routes = await cpe()(["ip", "route", "show", "type", "unreachable"]);
    expect(routes).toContain(network);
    expect(routes).not.toContain("192.0.2.0/24");
    await end();
    expect(await deliver({ ...state, node: { ...state.node, hostname: "again" } })).toEqual([]);
    await waitUntil("the first address", () => passesFrom(host), 60_000, 200);
  });

  it("a LAN: its hosts get no names, by whichever resolver, until its rules act", async () => {
    const denied = "games.example";
    const state: DesiredState = {
      ...base,
      dns: {
        answers: ["erp.example", denied].map((domain) => ({ domain, address: "10.0.0.20" })),
        denied: [],
        servers: [],
        ranges: [],
        deniedHosts: [denied],
      },
    };
    const [filter] = filtersOf(state);
    const codeOf = async (name: string, port = 53): Promise<string> =>
      (await askName(world.hosts[1], { name, server: "10.0.0.1", port })).split(",")[0] ?? "";
    expect(await deliver(state)).toEqual([]);
    const isAsSaved = async () =>
      (await codeOf("erp.example")) === "NOERROR" && (await codeOf(denied)) === "NXDOMAIN";
    await waitUntil("names", isAsSaved, 60_000, 200);
    const end = await refuseInNft(cpe(), ['"lan0"']);
    const again = { ...state, node: { ...state.node, hostname: "other" } };
    expect(await deliver(again)).toEqual(['lan | lan0 | refused | no "lan0" here']);
    expect([
      await codeOf("erp.example"),
      await codeOf(denied),
      await codeOf("erp.example", filter?.port ?? 0),
    ]).toEqual(["silence", "silence", "silence"]);
    await end();
    expect(await deliver({ ...state, node: { ...state.node, hostname: "again" } })).toEqual([]);
    await waitUntil("names again", isAsSaved, 60_000, 200);
  });

  it("is none: a rate above what the kernel counts", async () => {
    const rate = 1_000_000_000_000;
    const state: DesiredState = {
      ...base,
      groups: { rate, groups: [{ id: 1, rate, networks: ["10.1.1.0/24"] }] },
    };
    expect(groupsSection.safeParse(state.groups).success).toBe(true);
    expect(await deliver(state)).toEqual([]);
    expect(await rules()).toContain("chain c_group_rate_1");
  });
});
