/** Rules that nft refuses: objects are found by leaving them out, the others act, and what was denied stays denied. */
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import type { Device } from "#drivers/device.ts";
import { CommandFailed } from "#drivers/exec.ts";
import { type ObjectName, ObjectsRefused, Refusals } from "#drivers/refusals.ts";
import { pickUnderlay } from "#drivers/underlay/plan.ts";
import { withoutRefused } from "#drivers/without-refused.ts";
import { cpeState, lanSection } from "../../../test/states.ts";
import { createFirewall } from "./apply.ts";
import { filterTextOf } from "./name-filters.ts";
import { pickFirewall } from "./plan.ts";
import { findRefused } from "./refused.ts";

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
const route = { sources: null, targets: null, time: null, slots: [1], nat: true };
const base = cpeState({ links: 2 });
const state: DesiredState = {
  ...base,
  spaces: [{ spaceId: 3, netns: null, networks: ["10.1.7.0/24", "10.1.8.0/24", "10.1.40.0/24"] }],
  routings: base.routings.map((routing) => ({
    ...routing,
    neighbors: routing.neighbors.map((neighbor) => ({
      ...neighbor,
      accept: ["10.1.30.0/24", "10.1.31.0/24"],
    })),
  })),
  underlay: {
    ...base.underlay,
    lans: [
      lanSection("lan1", ["10.1.7.1/24"], { networks: ["10.1.7.0/24", "10.1.20.0/24"] }),
      lanSection("lan2", ["10.1.22.1/24"], { networks: ["10.1.21.0/24"] }),
    ],
  },
  firewall: {
    ...base.firewall,
    acl: [
      rule(1, { action: "accept", protocol: "tcp", targetPort: "8001" }),
      rule(2, { protocol: "tcp", source: "10.1.7.2/32", targetPort: "8002" }),
      rule(3, { protocol: "udp", targetPort: "8003" }),
      rule(4, { source: "203.0.113.4/32", object: { family: "blacklist", id: 4 } }),
      rule(4, { target: "203.0.113.4/32", object: { family: "blacklist", id: 4 } }),
      rule(5, { mac: "02:00:00:00:00:05", object: { family: "blacklist", id: 5 } }),
    ],
  },
  groups: {
    rate: null,
    groups: [
      { id: 1, rate: 8_001_000, networks: ["10.1.8.0/25"] },
      { id: 2, rate: 8_002_000, networks: ["10.1.8.128/25"] },
    ],
  },
  policy: {
    sets: [
      { id: 1, members: ["10.1.7.101"] },
      { id: 2, members: ["10.1.7.102"] },
    ],
    limits: [
      { id: 1, set: null, connections: 9_001, perSecond: null },
      { id: 2, set: 2, connections: 9_002, perSecond: null },
    ],
    portMaps: [
      { id: 1, protocol: "tcp", outside: "7001", host: "10.1.7.20", inside: "7001", slot: null },
      { id: 2, protocol: "tcp", outside: "7002", host: "10.1.7.20", inside: "7002", slot: null },
    ],
    applications: [
      { id: 1, services: [{ protocol: "tcp", port: "6001", sourcePort: null, target: null }] },
    ],
    times: [{ id: 1, weekdays: [], start: "08:00", end: "18:00" }],
    timeZone: "UTC",
    routes: [
      { ...route, id: 1, sources: 1 },
      { ...route, id: 2, app: 1, time: 1, slots: [], deny: true },
    ],
    nameRules: [{ id: 1, names: ["games.example"], sources: 2, time: 1, denies: true }],
    tunnels: [{ id: 1, guaranteed: 10, most: 100, up: true, down: true, slot: null }],
    bandwidths: [{ id: 1, tunnel: 1, hosts: 1, app: null, time: null }],
  },
  shaping: { up: 10_000, down: null, lines: [] },
};

/** A device whose nft does not take lines that fit. */
const refusing = (refuses: RegExp) => {
  let checks = 0;
  const device = {
    manageFrom: [],
    now: () => 0,
    run: async (argv, { input = "" } = {}) => {
      if (!argv.includes("nft")) return "";
      checks += 1;
      const line = input.split("\n").findIndex((text) => refuses.test(text));
      if (line < 0) return "";
      const stderr = `/dev/stdin:${line + 1}:1-9: Error: Could not process rule: Not supported\n`;
      throw new CommandFailed(argv, 1, { stdout: "", stderr });
    },
  } as Pick<Device, "run" | "manageFrom" | "now"> as Device;
  return { device, checks: () => checks };
};

/** The rules that act in the end, and what is reported. */
const actingOn = async (state: DesiredState, refuses: RegExp) => {
  const { device, checks } = refusing(refuses);
  const driver = createFirewall(device);
  const refusals = new Refusals(null, () => 0);
  for (;;) {
    const found: Finding[] = [];
    const left = withoutRefused(state, refusals.all, found);
    const error: unknown = await driver.validate(driver.pick(left)).then(
      () => null,
      (failure: unknown) => failure,
    );
    if (error === null) {
      const rules = new Map(pickFirewall(left).map((one) => [one.netns, one.text]));
      const shown = found.map(({ kind, object, reason, params: { denies } }) =>
        [kind, object, reason, ...(denies === undefined ? [] : [denies])].join(" "),
      );
      return { rules, text: rules.get(null) ?? "", shown, left, checks: checks() };
    }
    if (!(error instanceof ObjectsRefused)) throw error;
    for (const { about, why, form } of error.refused) refusals.add(about, why, null, form);
  }
};

const acting = (refuses: RegExp) => actingOn(state, refuses);

const whole = pickFirewall(state)[0]?.text ?? "";
const linesOf = (text: string): string[] => text.split("\n").map((line) => line.trim());

describe("what nft refuses", () => {
  it("is checked once where nothing is refused", async () => {
    const { text, shown, checks } = await acting(/^$a/);
    expect({ isWhole: text === whole, shown, checks }).toEqual({
      isWhole: true,
      shown: [],
      checks: 1,
    });
  });

  it.each<[string, RegExp, string]>([
    ["an ACL rule", /tcp dport 8001/, "aclRule 1 refused"],
    ["a port mapping", /7001/, "portMapping 1 refused"],
    ["a connection-number control", /ct count over 9001/, "connectionLimit 1 refused"],
    ["a policy route", /chain c_route_1 /, "policyRoute 1 refused"],
    ["a bandwidth policy", /chain c_pipe_1 /, "bandwidthPolicy 1 refused"],
  ])("is left out where it allows or leads something: %s", async (_what, refuses, expected) => {
    expect(whole).toMatch(refuses);
    const { text, shown } = await acting(refuses);
    expect(shown).toEqual([expected]);
    expect(linesOf(text).filter((line) => refuses.test(line))).toEqual([]);
    for (const other of ["tcp dport 8002", "7002", "ct count over 9002", "s_names4_0"])
      expect(text).toContain(other);
  });

  it.each<[string, RegExp, string, string | RegExp]>([
    [
      "by its ports",
      /8002/,
      "aclRule 2 refusedBroader tcp 10.1.7.2/32 > *",
      'ip saddr 10.1.7.2/32 meta l4proto tcp counter name "h_xaclrules_2" drop',
    ],
    [
      "by its protocol",
      /10\.1\.7\.2\/32.*tcp/,
      "aclRule 2 refusedBroader any 10.1.7.2/32 > *",
      'ip saddr 10.1.7.2/32 counter name "h_xaclrules_2" drop',
    ],
    [
      "by everything that it has",
      /udp dport 8003|l4proto udp counter/,
      "aclRule 3 refusedBroader any * > *",
      /^counter name "h_xaclrules_3" drop$/m,
    ],
    [
      "by an address of the blacklist",
      /203\.0\.113\.4/,
      "blacklistEntry 4 refusedBroader any * > *",
      /^counter name "h_blacklist_4" drop$/m,
    ],
    [
      "by a hardware address",
      /02:00:00:00:00:05/,
      "blacklistEntry 5 refusedBroader any * > *",
      /^counter name "h_blacklist_5" drop$/m,
    ],
  ])("denies more where it denies: %s", async (_what, refuses, expected, closed) => {
    expect(whole).toMatch(refuses);
    const { text, shown } = await acting(refuses);
    expect(shown).toEqual([expected]);
    const lines = linesOf(text);
    expect(lines.filter((line) => refuses.test(line))).toEqual([]);
    if (typeof closed === "string") expect(lines).toContain(closed);
    else expect(lines.join("\n")).toMatch(closed);
    for (const other of ["7001", "7002", "ct count over 9001"]) expect(text).toContain(other);
  });

  it("denies more where a policy route denies", async () => {
    const refused = /s_app_1 counter name "h_routerPolicyroute_2" goto c_denied/;
    expect(whole).toMatch(refused);
    const { text, shown } = await acting(refused);
    expect(shown).toEqual(["policyRoute 2 refusedBroader app: *"]);
    expect(linesOf(text)).toContain(
      'meta mark & 0x0 == @s_time_1 counter name "h_routerPolicyroute_2" goto c_denied',
    );
  });

  it("denies all that passes where a policy route cannot deny at all", async () => {
    const { text, shown } = await acting(/"h_routerPolicyroute_2" goto c_denied/);
    expect(shown).toEqual(["policyRoute 2 refusedBroader *"]);
    const [, acl = ""] = /chain c_acl \{([\s\S]*?)\n {2}\}/.exec(text) ?? [];
    expect(linesOf(acl.trim())[0]).toBe("drop");
  });

  it("denies names to more hosts, and at all times", async () => {
    const hosts = await acting(/set s_names4_0 .*10\.1\.7\.102/);
    expect(hosts.shown).toEqual(["urlRule 1 refusedBroader sources: *"]);
    expect(hosts.text).toMatch(/redirect to :53/);
    const times = await acting(/set s_time_1 /);
    expect(times.shown).toEqual([
      "policyRoute 2 refusedBroader time: *",
      "urlRule 1 refusedBroader time: *",
      "timeGroup 1 refused",
    ]);
  });

  it("takes a group along with what it allows, and denies more where a rule that denies names it", async () => {
    const { shown } = await acting(/10\.1\.7\.102/);
    expect(shown).toEqual([
      "connectionLimit 2 refused",
      "urlRule 1 refusedBroader sources: *",
      "ipGroup 2 refused",
    ]);
  });

  it("closes a user group: nothing passes to its networks", async () => {
    const { text, shown } = await acting(/limit rate over 1000125 bytes/);
    expect(shown).toEqual(["userGroup 1 refused"]);
    const sets = linesOf(text).filter((line) => line.startsWith("set s_group_all_4"));
    expect(sets.join()).toContain("10.1.8.128");
    expect(sets.join()).not.toContain("10.1.8.0");
    expect(text).toContain("ip daddr != @s_group_all_4 goto c_group_apart");
  });

  it.each<[string, RegExp, string]>([
    ["a network of a LAN", /10\.1\.20\.0/, "lan 10.1.20.0/24 refused"],
    ["a LAN", /lan2/, "lan lan2 refused"],
    ["a link", /"wl2"/, "link wl2 refused"],
    ["a network of the space", /10\.1\.31\.0/, "accept 10.1.31.0/24 refused"],
  ])("lets nothing of it pass, and the rest acts: %s", async (_what, refuses, expected) => {
    expect(whole).toMatch(refuses);
    const { text, shown } = await acting(refuses);
    expect(shown).toEqual([expected]);
    expect(linesOf(text).filter((line) => refuses.test(line))).toEqual([]);
    const others = ["10.1.7.0", "lan1", "wl1", "10.1.30.0", "tcp dport 8001", "7002"];
    for (const other of others) expect(text).toContain(other);
  });

  it("lets no host of a LAN without rules be a routing neighbour, and checks its sources by the routes", async () => {
    const { text, left } = await acting(/lan2/);
    expect(linesOf(whole)).toContain('iifname { "lan1", "lan2" } tcp dport 179 drop');
    expect(linesOf(text)).toContain("tcp dport 179 drop");
    expect(linesOf(text)).toContain("meta l4proto ospf drop");
    expect(pickUnderlay(state).checked).toEqual(["lan1", "lan2"]);
    expect(pickUnderlay(left).checked).toEqual(["lan1"]);
    const none = await acting(/lan[12]/);
    expect(linesOf(none.text)).toContain("tcp dport 179 drop");
    expect(pickUnderlay(none.left).checked).toEqual([]);
  });

  it("gives no names to hosts of a LAN without rules, and to others as before", async () => {
    const shut = "meta l4proto { tcp, udp } th dport { 53, 5301-5352 } goto c_names_shut";
    expect(whole).not.toContain(shut);
    const { text } = await acting(/lan2/);
    expect(linesOf(text)).toContain(`iifname != { "lan1" } ${shut}`);
    const none = await acting(/lan[12]/);
    expect(linesOf(none.text)).toContain(shut);
    // Flows of queries that were under way end with the rules that answered them.
    expect(filterTextOf(text)).toContain(shut);
  });

  it("lets no host pass by a LAN all of whose networks are refused", async () => {
    const { text, shown } = await acting(/10\.1\.21\.0/);
    expect(shown).toEqual(["lan 10.1.21.0/24 refused"]);
    const lines = linesOf(text);
    expect(lines.filter((line) => line.startsWith("set s_lan4 ")).join()).not.toContain("lan2");
    expect(lines).toContainEqual(
      expect.stringMatching(/^iifname \{[^}]*"lan2"[^}]*\} .*!= @s_lan4 .* goto c_foreign$/),
    );
  });

  it.each<[string, RegExp, string, RegExp]>([
    ["the narrowest around it", /10\.1\.40\.255/, "10.1.40.0/23", /10\.1\.40\.0-10\.1\.41\.255/],
    [
      "a wider one where that is refused, too",
      /10\.1\.40\.0-/,
      "10.1.32.0/20",
      /10\.1\.32\.0-10\.1\.47\.255/,
    ],
  ])("keeps more inside than a network of the space that is refused: %s", async (...given) => {
    const [, refuses, wider, kept] = given;
    expect(whole).toMatch(refuses);
    const { text, shown, left } = await acting(refuses);
    expect(shown).toEqual([`network 10.1.40.0/24 closedBroader ${wider}`]);
    expect(linesOf(text).filter((line) => refuses.test(line))).toEqual([]);
    expect(text).toMatch(kept);
    // Its route to nowhere, and what else asks for the networks of the space, stay as they are.
    expect(left.spaces?.map(({ networks }) => networks)).toEqual(
      state.spaces?.map(({ networks }) => networks),
    );
    for (const other of ["tcp dport 8001", "7001", "ct count over 9001", '"wl2"'])
      expect(text).toContain(other);
  });

  it("lets nothing pass where no network around one of the space can be kept inside", async () => {
    const { text, shown } = await acting(/set s_space4 .*elements/);
    expect(shown).toEqual(
      ["10.1.7.0/24", "10.1.8.0/24", "10.1.40.0/24"].map(
        (network) => `network ${network} closedBroader *`,
      ),
    );
    const [, acl = ""] = /chain c_acl \{([\s\S]*?)\n {2}\}/.exec(text) ?? [];
    expect(linesOf(acl.trim())[0]).toBe("drop");
  });

  it.each<[string, RegExp, string[]]>([
    [
      "a network that the site announces",
      /chain c_error_source /,
      ["announce 10.1.7.0/24 refused"],
    ],
    [
      "a LAN with what rules of others name of it",
      /lan2|10\.1\.22\.|fd00:22/,
      ["lan lan2 refused"],
    ],
    ["a bandwidth tunnel", /1:101/, ["bandwidthTunnel 1 refused"]],
  ])("leaves out what else the rules are made of: %s", async (_what, refuses, expected) => {
    expect(whole).toMatch(refuses);
    const { text, shown } = await acting(refuses);
    expect(shown).toEqual(expected);
    expect(linesOf(text).filter((line) => refuses.test(line))).toEqual([]);
  });

  it("is found among several, each with its own reason", async () => {
    const { shown } = await acting(/7001|ct count over 9001|8002/);
    expect(shown).toEqual([
      "connectionLimit 1 refused",
      "portMapping 1 refused",
      "aclRule 2 refusedBroader tcp 10.1.7.2/32 > *",
    ]);
  });

  it("refuses the state where it is no object's", async () => {
    await expect(acting(/chain c_wan_in/)).rejects.toThrow("Not supported");
  });

  it("is no answer of a machine without memory", async () => {
    const { device } = refusing(/7001/);
    const driver = createFirewall({
      ...device,
      run: async (argv) => {
        if (!argv.includes("nft")) return "";
        const stderr = "netlink: Error: Could not process rule: Cannot allocate memory";
        throw new CommandFailed(argv, 1, { stdout: "", stderr });
      },
    });
    await expect(driver.validate(driver.pick(state))).rejects.toThrow("Cannot allocate memory");
  });
});

describe("what nft refuses in the namespace of a space", () => {
  const netns = "weft-s3";
  const exit = {
    marks: ["198.18.0.14"],
    outer4: "198.18.1.12/31",
    inner4: "198.18.1.13/31",
    outer6: "fd57:ee:1::c/127",
    inner6: "fd57:ee:1::d/127",
  };
  const pop: DesiredState = {
    ...base,
    node: { ...base.node, kind: "pop" },
    underlay: { ...base.underlay, lans: [] },
    spaces: [{ spaceId: 3, netns, networks: ["10.1.7.0/24", "10.1.40.0/24"] }],
    tunnels: base.tunnels.map((tunnel) => ({ ...tunnel, netns })),
    routings: base.routings.map((routing) => ({ ...routing, netns })),
    accelerations: [{ spaceId: 3, netns, groups: [], sources: ["10.1.7.0/24"], exit }],
  };
  const insideOf = (text: string): string => /set s_inside4 \{.*/.exec(text)?.[0] ?? "";

  it("keeps more inside than a network that is refused", async () => {
    const { rules, shown } = await actingOn(pop, /s_inside4 .*10\.1\.40\.0\/24/);
    expect(shown).toEqual(["network 10.1.40.0/24 closedBroader 10.1.40.0/23"]);
    expect(insideOf(rules.get(netns) ?? "")).toContain("{ 10.1.7.0/24, 10.1.40.0/23 }");
  });

  it("lets no site leave where nothing around a network can be kept inside", async () => {
    const { rules, shown } = await actingOn(pop, /s_inside4 .*10\.(1\.(40|32|0)|0)\./);
    expect(shown).toEqual(["network 10.1.40.0/24 closedBroader *"]);
    expect(rules.get(netns)).not.toContain('"wx3"');
    expect(rules.get(netns)).toContain('"wl1"');
  });

  it("lets no site leave by a way out that is refused, in either namespace", async () => {
    for (const refuses of [/s_leaving4 .*10\.1\.7\.0/, /ip saddr 198\.18\.1\.13 /]) {
      const { rules, shown } = await actingOn(pop, refuses);
      expect(shown).toEqual(["acceleration wx3 refused"]);
      for (const text of rules.values()) expect(text).not.toContain('"wx3"');
    }
  });
});

describe("findRefused", () => {
  const names = Array.from({ length: 4_096 }, (_, at): ObjectName => {
    return { section: "s", kind: "k", object: `${at}` };
  });
  const candidates = names.map((about) => ({ about, forms: [] }));
  const search = async (wrong: readonly number[]) => {
    let checks = 0;
    const refused = await findRefused(candidates, async (out) => {
      checks += 1;
      const gone = new Set(out.map(({ about }) => about.object));
      return wrong.some((one) => !gone.has(`${one}`)) ? "no" : null;
    });
    return { refused: refused?.map(({ about }) => Number(about.object)) ?? null, checks };
  };

  it("needs some checks for each of thousands", async () => {
    const { refused, checks } = await search([0, 77, 4_095]);
    expect(refused).toEqual([0, 77, 4_095]);
    expect(checks).toBeLessThan(3 * 2 * 12 + 4);
  });

  it("gives up where next to all are refused, for that is no object's fault", async () => {
    const { refused, checks } = await search(names.map((_, at) => at));
    expect(refused).toBeNull();
    expect(checks).toBeLessThan(400);
  });

  it("finds that two cannot be together, and keeps the first", async () => {
    const refused = await findRefused(candidates.slice(0, 8), async (out) => {
      const gone = new Set(out.map(({ about }) => about.object));
      return gone.has("2") || gone.has("6") ? null : "both";
    });
    expect(refused).toEqual([{ about: names[6], why: "both" }]);
  });
});
