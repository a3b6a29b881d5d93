/** Objects that the kernel refuses, on a real machine: each is left out or stays as it was, and the rest of the state acts. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, pings } from "../../../test/netns/host.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";
import { lanSection } from "../../../test/states.ts";

const {
  site,
  addresses: [own1, own2],
  state: base,
} = twoCableSite;

let world: World;
let edge: NetnsEdge;

/** The state with other gateways of its lines, by slot. */
const withGateways = (gateways: Readonly<Record<number, string>>): DesiredState => ({
  ...base,
  underlay: {
    ...base.underlay,
    lines: base.underlay.lines.map((line) => ({
      ...line,
      gateway: gateways[line.slot] ?? line.gateway,
    })),
  },
});

/** A rule that denies a port, as an operator saves it while something else cannot act. */
const denying = (state: DesiredState, port: number): DesiredState => ({
  ...state,
  firewall: {
    ...state.firewall,
    acl: [
      {
        action: "drop" as const,
        protocol: "tcp" as const,
        source: null,
        target: null,
        sourcePort: null,
        targetPort: `${port}`,
        mac: null,
      },
    ],
  },
});

const deliver = async (state: DesiredState): Promise<void> => {
  await edge.deliver(state);
  expect(await edge.plan(state)).toEqual([]);
};
const findings = (state: DesiredState) => edge.findings(state);
const cpe = () => world.cpes[1].run;
const defaults = async (): Promise<string> =>
  cpe()(["ip", "-4", "route", "show", "default", "table", "all"]);
const rules = async (): Promise<string> => cpe()(["nft", "list", "table", "inet", "weft"]);

const invalid = "Error: Nexthop has invalid gateway.";
const boot = async (): Promise<void> => {
  edge = await world.cpes[1].edge(site.key);
  await edge.boot(base);
};

setUpTwoCableSite(async (machines) => {
  ({ world } = machines);
  await boot();
  await deliver(base);
});

describe("a line with a gateway that the kernel refuses", { timeout: 240_000 }, () => {
  const wrong = withGateways({ 2: own2 });

  it("stays as it was, is reported, and holds nothing else up", async () => {
    const state = denying(wrong, 4_445);
    await deliver(state);
    expect(await defaults()).toContain("via 203.0.113.1 dev wan2 table 102");
    expect(await rules()).toMatch(/tcp dport 4445/);
    // A busy machine may take a line for silent at its start.
    await expect
      .poll(() => findings(state), { timeout: 60_000 })
      .toEqual([
        {
          section: "underlay",
          kind: "line",
          object: "wan2",
          reason: "refusedKept",
          params: { why: invalid },
        },
      ]);
  });

  it("does not hold the states after it up either", async () => {
    await deliver(denying(wrong, 4_446));
    expect(await rules()).toMatch(/tcp dport 4446/);
    expect(await defaults()).toContain("via 203.0.113.1 dev wan2 table 102");
  });

  it("is what it was before after a reboot, too", async () => {
    for (const name of ["wan1", "wan2"]) await cpe()(["ip", "addr", "flush", "dev", name]);
    await cpe()(["ip", "route", "flush", "table", "102"]);
    await boot();
    expect(await defaults()).toContain("via 203.0.113.1 dev wan2 table 102");
    expect(await edge.plan(denying(wrong, 4_446))).toEqual([]);
  });

  it("acts as it is saved once it can", async () => {
    const state = withGateways({ 2: "203.0.113.2" });
    await deliver(state);
    expect(await findings(state)).toEqual([]);
    expect(await defaults()).toContain("via 203.0.113.2 dev wan2 table 102");
    expect(await defaults()).not.toContain("203.0.113.1 ");
  });

  it("keeps the only line that there is", async () => {
    const alone = (gateway: string): DesiredState => {
      const { underlay, firewall } = withGateways({ 1: gateway });
      return {
        ...base,
        underlay: { ...underlay, lines: underlay.lines.filter(({ slot }) => slot === 1) },
        firewall: { ...firewall, wan: ["wan1"] },
      };
    };
    await deliver(alone("198.51.100.1"));
    const state = denying(alone(own1), 4_447);
    await deliver(state);
    expect(await defaults()).toContain("via 198.51.100.1 dev wan1 table 101");
    expect(await rules()).toMatch(/tcp dport 4447/);
    expect(await findings(state)).toMatchObject([{ object: "wan1", reason: "refusedKept" }]);
  });
});

describe("another object that the kernel refuses", { timeout: 240_000 }, () => {
  it("leaves no trace: the next hop of a policy route that is the device itself", async () => {
    const own = site.lan.replace("/24", "");
    const route = (id: number, address: string) => ({
      id,
      sources: null,
      targets: null,
      time: null,
      slots: [],
      nat: true,
      hop: { address, interfaceName: "lan0" },
    });
    const state = denying(
      {
        ...base,
        policy: { sets: [], limits: [], routes: [route(3, own), route(4, "10.0.0.254")] },
      },
      4_448,
    );
    await deliver(state);
    expect(await rules()).toMatch(/tcp dport 4448/);
    const hops = await cpe()(["ip", "-4", "route", "show", "table", "all", "proto", "99"]);
    expect(hops).toContain("default via 10.0.0.254 dev lan0");
    expect(hops).not.toContain(`via ${own}`);
    expect(await findings(state)).toEqual([
      {
        section: "policy",
        kind: "nextHop",
        object: own,
        reason: "refused",
        params: { why: invalid },
      },
    ]);
  });

  it("a LAN on the interface of a WAN link takes nothing from it", async () => {
    const lans = [...base.underlay.lans, lanSection("wan1", ["10.77.1.1/24"])];
    const state = denying({ ...base, underlay: { ...base.underlay, lans } }, 4_449);
    await deliver(state);
    expect(await rules()).toMatch(/tcp dport 4449/);
    const shown = await cpe()(["ip", "-o", "-4", "addr", "show", "dev", "wan1"]);
    expect(shown).toContain(`${own1}/24`);
    expect(shown).not.toContain("10.77.1.1");
    expect(await findings(state)).toMatchObject([{ object: "wan1", reason: "lineInterface" }]);
  });

  it("a rate towards the LANs, where another program has the place: hosts go on, and the rate of a line acts", async () => {
    // A filter for what leaves would be taken there as one for what arrives, and nothing of the hosts would pass.
    await cpe()(["tc", "qdisc", "add", "dev", "lan0", "handle", "ffff:", "ingress"]);
    const rates = {
      ...base,
      shaping: { up: null, down: 4_000, lines: [{ slot: 1, up: 3_000 }] },
    };
    const state = denying(rates, 4_450);
    await deliver(state);
    expect(await rules()).toMatch(/tcp dport 4450/);
    expect(await cpe()(["tc", "class", "show", "dev", "wan1"])).toContain("rate 3Mbit ceil 3Mbit");
    expect(await findings(state)).toMatchObject([
      { section: "shaping", kind: "rateDown", object: "wdn", reason: "refused" },
    ]);
    await waitUntil("a host", () => pings(world.hosts[1], "192.0.2.1"), 60_000, 200);
    await cpe()(["tc", "qdisc", "del", "dev", "lan0", "ingress"]);
    await deliver(rates);
    expect(await findings(rates)).toEqual([]);
    expect(await cpe()(["tc", "filter", "show", "dev", "lan0", "egress"])).toContain("wdn");
    await waitUntil("a host", () => pings(world.hosts[1], "192.0.2.1"), 60_000, 200);
    await deliver(base);
    expect(await cpe()(["tc", "qdisc", "show"])).not.toMatch(/htb|clsact/);
  });

  it("an address of the loopback network goes again with the state that had it", async () => {
    await cpe()(["ip", "addr", "add", "127.0.0.7/8", "dev", "lan0"]);
    await deliver(base);
    expect(await cpe()(["ip", "-o", "addr", "show", "dev", "lan0"])).not.toContain("127.0.0.7");
  });
});
