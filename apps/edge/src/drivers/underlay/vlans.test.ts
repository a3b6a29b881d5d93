import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, test } from "vitest";
import { cpeState, lanSection } from "../../../test/states.ts";
import type { MachineFacts } from "../machine-facts.ts";
import { selectSupported } from "../supported-state.ts";
import { pickUnderlay, planUnderlay, type UnderlayFound } from "./plan.ts";

const whole = cpeState();
/** Nothing but what is on the VLAN. */
const typical: DesiredState = { ...whole, static: { routes: [] }, tunnels: [], routings: [] };
const vlan = { interfaceName: "eth2.30", parent: "eth2", tag: 30 };
const tagged: DesiredState = {
  ...typical,
  underlay: {
    lines: [],
    lans: [lanSection("eth2.30", ["10.30.0.1/24"])],
    vlans: [vlan],
  },
};
const facts = (names: readonly string[], isAble = true): MachineFacts => ({
  capabilities: [{ name: "vlan", can: isAble, reason: isAble ? null : "not in this kernel" }],
  interfaces: new Map(names.map((name) => [name, []])),
  leases: {},
  pathMtus: new Map(),
  foreignSources: [],
  smallDrops: [],
  silentRouters: new Set(),
  exhaustedRanges: [],
  resolverFailure: null,
  filterFailure: null,
  standbyFailure: null,
  flowTable: null,
  cutSegments: new Map(),
  cutExits: new Set(),
  silentLines: [],
  deadIpv6: new Set(),
  controllers: [],
  refused: [],
});

describe("a LAN section of a VLAN", () => {
  test("acts where the card is there, whether or not the interface is made yet", () => {
    for (const names of [["eth2"], ["eth2", "eth2.30"]]) {
      const { state, findings } = selectSupported(tagged, facts(names));
      expect(findings).toEqual([]);
      expect(state.underlay).toMatchObject({ lans: tagged.underlay.lans, vlans: [vlan] });
    }
  });

  test("is left out with its interface where the card is missing, or the kernel has no VLANs", () => {
    const missing = selectSupported(tagged, facts(["eth3"]));
    expect(missing.findings).toMatchObject([{ object: "eth2.30", reason: "noInterface" }]);
    const unable = selectSupported(tagged, facts(["eth2"], false));
    expect(unable.findings).toMatchObject([
      { object: "eth2.30", reason: "noVlan", params: { vlan: "30", why: "not in this kernel" } },
    ]);
    for (const { state } of [missing, unable]) {
      expect(state.underlay.lans).toEqual([]);
      expect(state.underlay).not.toHaveProperty("vlans");
    }
  });

  test("goes with its card when that is off", () => {
    const off = {
      ...tagged,
      underlay: { ...tagged.underlay, cards: [{ interfaceName: "eth2", off: true, mtu: null }] },
    };
    const { state } = selectSupported(off, facts(["eth2", "eth2.30"]));
    expect(state.underlay.lans).toEqual([]);
    expect(state.underlay).not.toHaveProperty("vlans");
  });
});

describe("a WAN link of a VLAN", () => {
  const line = { slot: 1, addressing: "dhcp" as const, ip: null, gateway: null };
  const wan = (interfaceName: string): DesiredState => ({
    ...typical,
    underlay: { lines: [{ ...line, interfaceName }], lans: [], vlans: [vlan] },
  });

  test("keeps its card on where it is the only way to the controller", () => {
    const state = wan("eth2.30");
    const off = {
      ...state,
      underlay: { ...state.underlay, cards: [{ interfaceName: "eth2", off: true, mtu: null }] },
    };
    const found = selectSupported(off, facts(["eth2"]));
    expect(found.findings).toMatchObject([{ kind: "card", object: "eth2", reason: "lastLine" }]);
    expect(found.state.underlay.lines).toHaveLength(1);
    expect(found.state.underlay.vlans).toEqual([vlan]);
  });

  test("takes no interface along that nothing is on", () => {
    const { state } = selectSupported(wan("eth1"), facts(["eth1", "eth2"]));
    expect(state.underlay).not.toHaveProperty("vlans");
  });
});

describe("steps", () => {
  const part = pickUnderlay(tagged);
  const there = (names: readonly string[], addresses: readonly string[] = []) =>
    Object.fromEntries(names.map((name) => [name, { up: true, mtu: 1_500, addresses }]));
  const found = (change: Partial<UnderlayFound> = {}): UnderlayFound => ({
    interfaces: { eth2: { up: false, mtu: 1_500, addresses: ["192.0.2.7/24"] } },
    routes: [],
    rules: [],
    foreign: [],
    taken: {},
    mtus: {},
    leases: {},
    clients: [],
    sysctls: new Map(),
    controllers: [],
    ...change,
  });
  const summaries = (wanted: typeof part, observed: UnderlayFound): string[] =>
    planUnderlay(wanted, observed)
      .sort((a, b) => a.phase - b.phase)
      .map(({ summary }) => summary)
      .filter((summary) => !summary.startsWith("set "));

  test("make the interface before its card and itself are brought up, and leave the card's own address", () => {
    expect(summaries(part, found())).toEqual([
      "take over eth2.30",
      "take over eth2",
      "make eth2.30 for VLAN 30 of eth2",
      "bring eth2 up",
      "bring eth2.30 up",
      "add address 10.30.0.1/24 to eth2.30",
    ]);
  });

  test("give the interface its settings, which it has not before it is there", () => {
    const keys = ["rp_filter", "promote_secondaries"].map((key) => `ipv4/conf/eth2.30/${key}`);
    const settings = planUnderlay(part, found({ sysctls: new Map(keys.map((key) => [key, null])) }))
      .map(({ summary }) => summary)
      .filter((summary) => summary.startsWith("set "));
    for (const key of keys)
      expect(settings).toContainEqual(expect.stringContaining(`set ${key} to `));
  });

  test("use an interface that somebody else made, and make one again that is gone", () => {
    const present = found({ vlans: { there: [vlan], own: [] } });
    expect(summaries(part, present)).not.toContain("make eth2.30 for VLAN 30 of eth2");
    const other = found({ vlans: { there: [{ ...vlan, tag: 31 }], own: ["eth2.30"] } });
    expect(summaries(part, other)).toContain("make eth2.30 for VLAN 30 of eth2");
  });

  test("remove at the end what the device made, and only that", () => {
    const observed = found({
      interfaces: { ...there(["eth2"]), ...there(["eth2.30", "eth2.9"], ["10.30.0.1/24"]) },
      taken: { "eth2.30": { addresses: [], routes: [], up: false } },
      vlans: {
        there: [vlan, { interfaceName: "eth2.9", parent: "eth2", tag: 9 }],
        own: ["eth2.30"],
      },
    });
    const all = summaries(pickUnderlay(null), observed);
    expect(all.at(-1)).toBe("remove eth2.30 of a VLAN");
    expect(all.join()).not.toContain("eth2.9");
  });

  test("belong to the LAN, which is left out when the kernel refuses its interface", () => {
    const step = planUnderlay(part, found()).find(({ kind }) => kind === "add-vlan");
    expect(step?.about).toEqual({ section: "underlay", kind: "lan", object: "eth2.30" });
  });
});
