/** LAN sections and WAN links of VLANs, on tagged frames; for a kernel that has them (campaign `debian`). */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BatteryRow, battery } from "../../../test/netns/battery.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import {
  createWorld,
  makeSites,
  staticLines,
  staticState,
  type World,
} from "../../../test/netns/world.ts";
import { lanSection } from "../../../test/states.ts";
import { readOwnVlans } from "./observe.ts";

const sites = makeSites();
const [, site] = sites;
const [, own] = staticLines(site);
const both = staticState(site);
/** With one WAN link: on an emulated machine one of two may be left for its silence. */
const plain: DesiredState = {
  ...both,
  underlay: { ...both.underlay, lines: both.underlay.lines.filter(({ slot }) => slot === 2) },
  firewall: { ...both.firewall, wan: ["wan2"] },
};
const internet = "192.0.2.1";
const untagged = "10.0.0.100";
const [tagged, gateway] = ["10.30.0.100", "10.30.0.1"];
/** Of the WAN link as a VLAN of its provider. */
const far = { ip: "203.0.114.20", gateway: "203.0.114.1" };

const vlan = (parent: string, tag: number) => ({
  interfaceName: `${parent}.${tag}`,
  parent,
  tag,
});
const withTaggedLan = (state: DesiredState): DesiredState => ({
  ...state,
  underlay: {
    ...state.underlay,
    lans: [
      ...state.underlay.lans,
      lanSection("lan0.30", [`${gateway}/24`], { networks: ["10.30.0.0/24"], direct: true }),
    ],
    vlans: [vlan("lan0", 30)],
  },
});
const withTaggedLine = (state: DesiredState): DesiredState => ({
  ...state,
  underlay: {
    ...state.underlay,
    lines: state.underlay.lines.map((line) => ({
      ...line,
      interfaceName: "wan2.20",
      ip: `${far.ip}/24`,
      gateway: far.gateway,
    })),
    vlans: [vlan("wan2", 20)],
  },
  firewall: { ...state.firewall, wan: ["wan2.20"] },
});

let world: World;
let cpe: NetnsMachine;
let host: NetnsMachine;

/** Another interface on the same cable, whose packets have a way of their own. */
const addTagged = async (
  { run }: NetnsMachine,
  parent: string,
  tag: number,
  address: string,
): Promise<void> => {
  const name = `${parent}.${tag}`;
  await run(["ip", "link", "add", "link", parent, "name", name, "type", "vlan", "id", `${tag}`]);
  await run(["ip", "addr", "add", address, "dev", name]);
  await run(["ip", "link", "set", name, "up"]);
};

const vlansOf = async ({ run }: NetnsMachine): Promise<string[]> => {
  const text = await run(["ip", "-br", "link", "show", "type", "vlan"]);
  return text
    .split("\n")
    .flatMap((line) => line.split("@")[0] || [])
    .sort();
};

const answers = (address: string, by: string): Promise<boolean> =>
  host.run(["ping", "-c1", "-W1", "-I", by, address]).then(
    () => true,
    () => false,
  );

const rows: readonly BatteryRow[] = [
  {
    family: "a LAN section of a VLAN",
    given: withTaggedLan,
    about: () => seenFrom(host, tagged, internet),
    idle: "silence",
    acting: own,
    beside: () => seenFrom(host, untagged, internet),
    always: own,
  },
  {
    family: "a WAN link of a VLAN",
    given: withTaggedLine,
    about: () => seenFrom(host, untagged, internet),
    idle: own,
    acting: far.ip,
    beside: async () => String(await answers("10.0.0.1", "eth0")),
    always: "true",
  },
];

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  host = world.hosts[1];
  await serveSources(world.inet, internet);
  await addTagged(world.inet, "isp2", 20, `${far.gateway}/24`);
  await addTagged(host, "eth0", 30, `${tagged}/24`);
  await host.run(["ip", "route", "add", "default", "via", gateway, "table", "30"]);
  await host.run(["ip", "rule", "add", "from", tagged, "lookup", "30"]);
}, 300_000);

afterAll(async () => {
  await world?.remove();
}, 60_000);

describe.each(rows)("$family", { timeout: 300_000 }, (row) => {
  battery(row, true, () => ({ plain, device: cpe, start: () => cpe.edge(site.key) }));
});

describe("interfaces of VLANs", { timeout: 300_000 }, () => {
  let edge: NetnsEdge;
  beforeAll(async () => {
    edge = await cpe.edge(site.key);
    await edge.apply(withTaggedLan(plain));
  }, 300_000);

  it("keep hosts of a tag and of none apart", async () => {
    expect(await answers(gateway, "eth0.30")).toBe(true);
    // The address of the other LAN, by a frame without the tag.
    await host.run(["ip", "route", "add", `${gateway}/32`, "dev", "eth0"]);
    await host.run(["ip", "addr", "add", "10.30.0.101/32", "dev", "eth0"]);
    expect(await seenFrom(host, "10.30.0.101", internet)).toBe("silence");
    await host.run(["ip", "addr", "del", "10.30.0.101/32", "dev", "eth0"]);
    await host.run(["ip", "route", "del", `${gateway}/32`, "dev", "eth0"]);
  });

  it("are made again when somebody removes them, and are no drift otherwise", async () => {
    expect(await edge.plan(withTaggedLan(plain))).toEqual([]);
    await cpe.run(["ip", "link", "del", "lan0.30"]);
    expect(await edge.plan(withTaggedLan(plain))).not.toEqual([]);
    await edge.apply(withTaggedLan(plain));
    expect(await seenFrom(host, tagged, internet)).toBe(own);
  });

  it("are those of somebody else where there are such, which stay", async () => {
    await edge.apply(plain);
    expect(await vlansOf(cpe)).toEqual([]);
    await addTagged(cpe, "lan0", 30, "10.30.0.7/24");
    await edge.apply(withTaggedLan(plain));
    expect(await seenFrom(host, tagged, internet)).toBe(own);
    await edge.apply(plain);
    expect(await vlansOf(cpe)).toEqual(["lan0.30"]);
    expect(await cpe.run(["ip", "-br", "addr", "show", "dev", "lan0.30"])).toContain(
      "10.30.0.7/24",
    );
    await cpe.run(["ip", "link", "del", "lan0.30"]);
    expect(await readOwnVlans(cpe)).toEqual([]);
  });

  it("have their packets in the queues of the device once, beside a LAN of the card itself", async () => {
    await edge.apply({
      ...withTaggedLan(plain),
      shaping: { up: null, down: 50_000, lines: [] },
    });
    const sent = async (): Promise<number> => {
      const text = await cpe.run(["tc", "-s", "qdisc", "show", "dev", "wdn", "root"]);
      return Number(/Sent \d+ bytes (\d+) pkt/.exec(text)?.[1]);
    };
    for (const [address, count] of [
      [tagged, 40],
      [untagged, 40],
    ] as const) {
      const before = await sent();
      const argv = ["ping", `-c${count}`, "-i0.2", "-W5", "-I", address, internet] as const;
      expect(await host.run(argv)).toContain(`${count} received`);
      const packets = (await sent()) - before;
      // Beside the answers there are requests for neighbours.
      expect(packets).toBeGreaterThanOrEqual(count);
      expect(packets).toBeLessThan(1.5 * count);
    }
    await edge.apply(withTaggedLan(plain));
  });

  it("go with a card that is off, and come back with it", async () => {
    const wants = withTaggedLan(plain);
    const off: DesiredState = {
      ...wants,
      underlay: { ...wants.underlay, cards: [{ interfaceName: "lan0", off: true, mtu: null }] },
    };
    await edge.apply(wants);
    await edge.apply(off);
    expect(await vlansOf(cpe)).toEqual([]);
    await edge.apply(wants);
    expect(await vlansOf(cpe)).toEqual(["lan0.30"]);
  });
});
