import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, test } from "vitest";
import { cpeState, lanSection } from "../../../test/states.ts";
import type { MachineFacts } from "../machine-facts.ts";
import { selectSupported } from "../supported-state.ts";
import { readOwnVlans, writeOwnVlans } from "./observe.ts";
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

  test("is on an interface that is there without its card, as in a container, and nothing is made", () => {
    const { state, findings } = selectSupported(tagged, facts(["eth2.30"], false));
    expect(findings).toEqual([]);
    expect(state.underlay.lans).toEqual(tagged.underlay.lans);
    expect(state.underlay).not.toHaveProperty("vlans");
  });

  test("is none of an interface that the device makes itself", () => {
    const own = { interfaceName: "wl5.30", parent: "wl5", tag: 30 };
    const state = {
      ...tagged,
      underlay: { lines: [], lans: [lanSection("wl5.30", ["10.30.0.1/24"])], vlans: [own] },
    };
    const found = selectSupported(state, facts(["eth2", "wl5"]));
    expect(found.findings).toMatchObject([{ object: "wl5.30", reason: "ownInterface" }]);
    expect(found.state.underlay.lans).toEqual([]);
  });
});

test("an interface that was made before a reboot is nobody's own", async () => {
  const device = { dataDir: mkdtempSync(join(tmpdir(), "weft-vlans-")) };
  try {
    expect(await readOwnVlans(device)).toEqual([]);
    await writeOwnVlans(device, ["eth2.30"]);
    expect(await readOwnVlans(device)).toEqual(["eth2.30"]);
    const file = join(device.dataDir, "vlans.json");
    const written = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...written, boot: "another" }));
    expect(await readOwnVlans(device)).toEqual([]);
  } finally {
    rmSync(device.dataDir, { recursive: true });
  }
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

  test("leave the card its addresses, whatever becomes of them, until it has a LAN of its own", () => {
    const own = (addresses: readonly string[], taken: UnderlayFound["taken"]) =>
      found({
        interfaces: {
          eth2: { up: true, mtu: 1_500, addresses },
          "eth2.30": { up: true, mtu: 1_500, addresses: ["10.30.0.1/24"] },
        },
        vlans: { there: [vlan], own: ["eth2.30"] },
        taken: { "eth2.30": { addresses: [], routes: [], up: false }, ...taken },
      });
    const take = planUnderlay(part, own(["192.0.2.7/24"], {})).find(
      (step) => step.kind === "take" && step.interfaceName === "eth2",
    );
    const factory = { addresses: [], routes: [], up: true, isCard: true } as const;
    expect(take).toMatchObject({ factory });
    const eth2 = { ...factory, up: false };
    // Another address of somebody's DHCP client.
    expect(summaries(part, own(["192.0.2.9/24"], { eth2 }))).toEqual([]);
    const both = pickUnderlay({
      ...tagged,
      underlay: {
        ...tagged.underlay,
        lans: [...tagged.underlay.lans, lanSection("eth2", ["10.2.0.1/24"])],
      },
    });
    const steps = planUnderlay(both, own(["192.0.2.9/24"], { eth2 }));
    expect(steps.find(({ kind }) => kind === "take")).toMatchObject({
      factory: { addresses: ["192.0.2.9/24"], up: false },
    });
    expect(steps.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining([
        "add address 10.2.0.1/24 to eth2",
        "take address 192.0.2.9/24 from eth2",
      ]),
    );
    // After a LAN of its own, or after it was off, it has what it had before, and then is left alone again.
    const lan = { addresses: ["192.0.2.9/24"], routes: [], up: false };
    const former = own(["10.2.0.1/24"], { eth2: lan });
    expect(summaries(part, former)).toEqual([
      "add address 192.0.2.9/24 to eth2",
      "take address 10.2.0.1/24 from eth2",
      "give back eth2",
    ]);
    const back = planUnderlay(part, former).find(({ kind }) => kind === "give-back");
    expect(back).toMatchObject({ kept: eth2 });
    const given = planUnderlay(pickUnderlay(null), own(["192.0.2.9/24"], { eth2 }));
    const all = given.map(({ summary }) => summary);
    expect(all).toEqual(expect.arrayContaining(["set eth2 down", "give back eth2"]));
    expect(all.join()).not.toContain("192.0.2.9");
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

  test("use what a WAN link names, whatever it is, and make its interface where there is none", () => {
    const line = { slot: 1, interfaceName: "eth2.30", addressing: "dhcp" as const };
    const wan = pickUnderlay({
      ...tagged,
      underlay: { lines: [{ ...line, ip: null, gateway: null }], lans: [], vlans: [vlan] },
    });
    const made = "make eth2.30 for VLAN 30 of eth2";
    const foreign = found({
      interfaces: there(["eth2", "eth2.30"]),
      vlans: { there: [{ ...vlan, tag: 31 }], own: [] },
    });
    expect(summaries(wan, foreign)).not.toContain(made);
    expect(summaries(part, foreign)).toContain(made);
    expect(summaries(wan, found())).toContain(made);
    const elsewhere = found({ vlans: { there: [{ ...vlan, parent: null }], own: [] } });
    expect(summaries(part, elsewhere)).not.toContain(made);
  });

  /** Steps that set MTU or kernel settings, of a WAN link. */
  const settings = (
    change: Partial<UnderlayFound>,
    cards: DesiredState["underlay"]["cards"] = [],
  ): string[] => {
    const line = { slot: 1, interfaceName: "eth2.30", addressing: "dhcp" as const };
    const underlay = { lines: [{ ...line, ip: null, gateway: null }], lans: [], vlans: [vlan] };
    const wan = pickUnderlay({ ...tagged, underlay: { ...underlay, cards } });
    return planUnderlay(wan, found(change))
      .map(({ summary }) => summary)
      .filter((summary) => /^set (the MTU of|ipv6\/conf\/eth2)/.test(summary));
  };
  const keys = ["accept_ra", "ignore_routes_with_linkdown"].map(
    (key) => `ipv6/conf/eth2.30/${key}`,
  );
  const absent = (...more: string[]) =>
    new Map<string, string | null>([...keys, ...more].map((key) => [key, null]));

  test("set nothing of IPv6 where the machine has none, or the card carries none", () => {
    expect(settings({ sysctls: absent() })).toHaveLength(keys.length);
    expect(settings({ sysctls: absent("ipv6/conf/all/forwarding") })).toEqual([]);
    const small = { eth2: { up: true, mtu: 1_000, addresses: [] } };
    expect(settings({ sysctls: absent(), interfaces: small })).toEqual([]);
    const card = { interfaceName: "eth2", off: false, mtu: 1_200 };
    expect(settings({ sysctls: absent() }, [card])).toEqual([
      "set the MTU of eth2 to 1200",
      "set the MTU of eth2.30 to 1200",
    ]);
  });

  test("set nothing again that an interface which is there does not have", () => {
    const interfaces = there(["eth2", "eth2.30"]);
    const vlans = { there: [vlan], own: ["eth2.30"] };
    expect(settings({ sysctls: absent(), interfaces, vlans })).toEqual([]);
  });

  test("give the interface the MTU of its card, which the kernel does not when that becomes larger", () => {
    const vlans = { there: [vlan], own: ["eth2.30"] };
    const sysctls = absent("ipv6/conf/all/forwarding");
    const sized = (card: number, own: number) => ({
      eth2: { up: true, mtu: card, addresses: [] },
      "eth2.30": { up: true, mtu: own, addresses: [] },
    });
    const card = { interfaceName: "eth2", off: false, mtu: 9_000 };
    expect(settings({ sysctls, interfaces: sized(1_500, 1_500), vlans }, [card])).toEqual([
      "set the MTU of eth2 to 9000",
      "set the MTU of eth2.30 to 9000",
    ]);
    expect(
      settings({ sysctls, interfaces: sized(1_300, 1_300), vlans, mtus: { eth2: 1_500 } }),
    ).toEqual(["set the MTU of eth2 to 1500", "set the MTU of eth2.30 to 1500"]);
    // The edge ended between the two.
    expect(settings({ sysctls, interfaces: sized(1_500, 1_300), vlans })).toEqual([
      "set the MTU of eth2.30 to 1500",
    ]);
    expect(settings({ sysctls, interfaces: sized(1_500, 1_500), vlans })).toEqual([]);
    const foreign = { there: [vlan], own: [] };
    expect(settings({ sysctls, interfaces: sized(1_500, 1_300), vlans: foreign })).toEqual([]);
    // One that is set of the interface itself holds, and goes with its setting.
    const own = { interfaceName: "eth2.30", off: false, mtu: 1_400 };
    const set = { sysctls, interfaces: sized(1_500, 1_400), vlans, mtus: { "eth2.30": 1_500 } };
    expect(settings(set, [own])).toEqual([]);
    expect(settings(set)).toEqual(["set the MTU of eth2.30 to 1500"]);
    expect(settings({ sysctls }, [card])).toEqual([
      "set the MTU of eth2 to 9000",
      "set the MTU of eth2.30 to 9000",
    ]);
  });

  test("remove no interface that something is on, as after its card was renamed", () => {
    const { state } = selectSupported(tagged, facts(["lan2", "eth2.30"]));
    const observed = found({
      interfaces: there(["lan2", "eth2.30"]),
      vlans: { there: [{ ...vlan, parent: "lan2" }], own: ["eth2.30"] },
    });
    expect(summaries(pickUnderlay(state), observed).join()).not.toMatch(/make|remove/);
    expect(summaries(pickUnderlay(null), observed)).toContain("remove eth2.30 of a VLAN");
  });

  describe("make the interface of a renamed card anew", () => {
    const onLan2 = { ...vlan, parent: "lan2" };
    const taken = { "eth2.30": { addresses: [], routes: [], up: false } };
    const line = { slot: 1, interfaceName: "eth2.30", addressing: "dhcp" as const };
    const wan = pickUnderlay({
      ...tagged,
      underlay: { lines: [{ ...line, ip: null, gateway: null }], lans: [], vlans: [vlan] },
    });
    const changes = (wanted: typeof part, observed: UnderlayFound) =>
      summaries(wanted, observed).filter((summary) => !summary.startsWith("take over"));

    test("when another card has its name now, with all that was on it", () => {
      const observed = found({
        interfaces: there(["eth2", "lan2", "eth2.30"], ["10.30.0.1/24"]),
        vlans: { there: [onLan2], own: ["eth2.30"] },
        taken,
        sysctls: new Map([["ipv4/conf/eth2.30/rp_filter", "0"]]),
      });
      expect(changes(part, observed)).toEqual([
        "remove eth2.30 of a VLAN",
        "make eth2.30 for VLAN 30 of eth2",
        "bring eth2.30 up",
        "add address 10.30.0.1/24 to eth2.30",
      ]);
      const all = planUnderlay(part, observed).map(({ summary }) => summary);
      expect(all).toContainEqual(expect.stringMatching(/^set ipv4\/conf\/eth2\.30\/rp_filter to/));
    });

    test("of a WAN link with another lease than that of the former card", () => {
      const observed = found({
        interfaces: there(["eth2", "lan2", "eth2.30"], ["192.0.2.9/24"]),
        vlans: { there: [onLan2], own: ["eth2.30"] },
        taken,
        leases: { "eth2.30": { address: "192.0.2.9/24", gateway: "192.0.2.1" } },
        clients: ["eth2.30"],
      });
      const all = changes(wan, observed);
      expect(all.slice(0, 3)).toEqual([
        "stop DHCP on eth2.30",
        "remove eth2.30 of a VLAN",
        "make eth2.30 for VLAN 30 of eth2",
      ]);
      expect(all).toContain("start DHCP on eth2.30");
      expect(all.join()).not.toContain("192.0.2.9");
    });

    test("after those of all cards that have each other's names are gone", () => {
      const other = { interfaceName: "eth3.30", parent: "eth3", tag: 30 };
      const both = pickUnderlay({
        ...tagged,
        underlay: {
          ...tagged.underlay,
          lans: [...tagged.underlay.lans, lanSection("eth3.30", ["10.31.0.1/24"])],
          vlans: [vlan, other],
        },
      });
      const observed = found({
        interfaces: there(["eth2", "eth3", "eth2.30", "eth3.30"]),
        vlans: {
          there: [
            { ...vlan, parent: "eth3" },
            { ...other, parent: "eth2" },
          ],
          own: ["eth2.30", "eth3.30"],
        },
      });
      expect(changes(both, observed).slice(0, 4)).toEqual([
        "remove eth2.30 of a VLAN",
        "remove eth3.30 of a VLAN",
        "make eth2.30 for VLAN 30 of eth2",
        "make eth3.30 for VLAN 30 of eth3",
      ]);
    });

    test("when its LAN has the card's new name, for a card has a VLAN once", () => {
      const renamed = pickUnderlay({
        ...tagged,
        underlay: {
          lines: [],
          lans: [lanSection("lan2.30", ["10.30.0.1/24"])],
          vlans: [{ ...onLan2, interfaceName: "lan2.30" }],
        },
      });
      const observed = found({
        interfaces: there(["lan2", "eth2.30"], ["10.30.0.1/24"]),
        vlans: { there: [onLan2], own: ["eth2.30"] },
        taken,
      });
      expect(changes(renamed, observed)).toEqual([
        "remove eth2.30 of a VLAN",
        "make lan2.30 for VLAN 30 of lan2",
        "bring lan2.30 up",
        "add address 10.30.0.1/24 to lan2.30",
        "give back eth2.30",
      ]);
    });
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
    // It may be gone by then, with its card.
    const steps = planUnderlay(pickUnderlay(null), observed).map(({ summary }) => summary);
    expect(steps).not.toContain("set eth2.30 down");
  });

  test("belong to the LAN, which is left out when the kernel refuses its interface", () => {
    const step = planUnderlay(part, found()).find(({ kind }) => kind === "add-vlan");
    expect(step?.about).toEqual({ section: "underlay", kind: "lan", object: "eth2.30" });
  });
});
