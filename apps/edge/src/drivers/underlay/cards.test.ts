/** What is set of network cards, on real packets: their MTU, and cards that are off. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type BatteryRow, battery } from "../../../test/netns/battery.ts";
import type { NetnsEdge, NetnsMachine } from "../../../test/netns/host.ts";
import { seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import { setUpTwoCableSite, twoCableSite } from "../../../test/netns/two-cable-site.ts";
import type { World } from "../../../test/netns/world.ts";

type Cards = NonNullable<UnderlaySection["cards"]>;

const {
  site,
  addresses: [first, second],
} = twoCableSite;
const inSpace = "10.7.0.9";
const plain: DesiredState = {
  ...twoCableSite.state,
  spaces: [{ spaceId: 1, netns: null, networks: ["10.0.0.0/24", "10.7.0.0/16"] }],
};
const grouped = "10.0.0.100";
const internet = "192.0.2.1";
const internet6 = "2001:db8:1::1";
/** Its first WAN link has IPv6. */
const plain6: DesiredState = {
  ...plain,
  underlay: {
    ...plain.underlay,
    lines: plain.underlay.lines.map((line) =>
      line.slot === 1 ? { ...line, ip: "2001:db8:1::20/64", gateway: internet6 } : line,
    ),
  },
};

const withCards = (state: DesiredState, ...cards: Cards): DesiredState => ({
  ...state,
  underlay: { ...state.underlay, cards },
});
const card = (interfaceName: string, given: Partial<Cards[number]>): Cards[number] => ({
  interfaceName,
  off: false,
  mtu: null,
  ...given,
});

let world: World;
let cpe: NetnsMachine;
let host: NetnsMachine;

/** What becomes of a packet of this size that no router may divide. @param bytes with the header of IP */
const sized = async (bytes: number, target: string): Promise<string> => {
  const [family, headers] = target.includes(":") ? ["-6", 48] : ["-4", 28];
  // A host remembers for ten minutes what a way takes.
  await host.run(["ip", `${family}`, "route", "flush", "cache"]);
  const argv = ["-c1", "-W1", "-M", "do", "-s", `${bytes - Number(headers)}`] as const;
  const text = await host
    .run(["ping", `${family}`, ...argv, target])
    .catch((error: unknown) => String(error));
  if (text.includes("1 received")) return "passes";
  return /mtu ?= ?1300|Packet too big/.test(text) ? "too big" : "silence";
};
const reaches = async (machine: NetnsMachine, address: string): Promise<string> => {
  // Who asked in vain for a neighbour asks again only after a second, which is as long as this waits.
  await machine.run(["ip", "neigh", "flush", "all"]);
  return machine.run(["ping", "-c1", "-W1", address]).then(
    () => "answers",
    () => "silence",
  );
};

const rows: readonly BatteryRow[] = [
  {
    family: "the MTU of a card",
    given: (state) => withCards(state, card("wan1", { mtu: 1_300 })),
    about: () => sized(1_301, internet),
    idle: "passes",
    acting: "too big",
    beside: () => sized(1_300, internet),
    always: "passes",
  },
  {
    family: "a card that is off",
    given: (state) => withCards(state, card("wan1", { off: true })),
    about: async () =>
      `${await seenFrom(host, grouped, internet)}, ${await reaches(world.inet, first)}`,
    idle: `${first}, answers`,
    acting: `${second}, silence`,
    beside: () => reaches(world.inet, second),
    always: "answers",
  },
];

setUpTwoCableSite(async (machines) => {
  ({ world, cpe, host } = machines);
  await serveSources(world.inet, internet);
  await world.inet.run(["ip", "-6", "addr", "add", `${internet6}/64`, "dev", "isp1", "nodad"]);
});

describe.each(rows)("$family", { timeout: 60_000 }, (row) => {
  battery(row, row.family === "a card that is off", () => ({
    plain,
    device: cpe,
    start: () => cpe.edge(site.key),
  }));
});

describe("cards", { timeout: 60_000 }, () => {
  let edge: NetnsEdge;
  beforeAll(async () => {
    edge = await cpe.edge(site.key);
  }, 30_000);

  it("have their MTU for IPv6, which one that is too small for it does not get", async () => {
    await edge.apply(plain6);
    await waitUntil(
      "the internet by IPv6",
      async () => (await sized(1_400, internet6)) === "passes",
      10_000,
      100,
    );
    await edge.apply(withCards(plain6, card("wan1", { mtu: 1_300 })));
    expect([await sized(1_301, internet6), await sized(1_300, internet6)]).toEqual([
      "too big",
      "passes",
    ]);
    const small = withCards(plain6, card("wan1", { mtu: 1_200 }), card("lan7", { off: true }));
    await edge.apply(small);
    expect(await edge.findings(small)).toMatchObject([
      { kind: "card", object: "lan7", reason: "noInterface" },
      { kind: "card", object: "wan1", reason: "mtuBelowIpv6" },
    ]);
    expect(await sized(1_400, internet6)).toBe("passes");
    expect(await edge.plan(small)).toEqual([]);
  });

  it("without IPv6 may have one that has none, and get it back with their own", async () => {
    const small = withCards(plain, card("wan1", { mtu: 1_200 }));
    await edge.apply(small);
    expect(await edge.plan(small)).toEqual([]);
    expect([await sized(1_201, internet), await sized(1_200, internet)]).toEqual([
      "silence",
      "passes",
    ]);
    await edge.apply(plain6);
    expect(await edge.plan(plain6)).toEqual([]);
    await waitUntil(
      "the internet by IPv6",
      async () => (await sized(1_400, internet6)) === "passes",
      10_000,
      100,
    );
  });

  it("that carry all WAN links stay on, and a LAN that is off is silent", async () => {
    const all = ["wan1", "wan2"].map((name) => card(name, { off: true }));
    await edge.apply(withCards(plain, ...all));
    expect(await edge.findings(withCards(plain, ...all))).toMatchObject([
      { kind: "card", object: "wan1", reason: "lastLine" },
      { kind: "card", object: "wan2", reason: "lastLine" },
    ]);
    expect(await seenFrom(host, grouped, internet)).toBe(first);
    await edge.apply(withCards(plain, card("lan0", { off: true })));
    expect(await reaches(host, "10.0.0.1")).toBe("silence");
    await edge.apply(plain);
    // A kernel reports a carrier that is back at most once a second (linkwatch).
    await waitUntil(
      "the LAN, on again",
      async () => (await reaches(host, "10.0.0.1")) === "answers",
      10_000,
      100,
    );
  });

  it("that are off let nothing of the space leave by another link", async () => {
    await world.inet.run(["nft", "-f", "-"], {
      input: `table inet leaks {
        counter n { }
        chain c { type filter hook prerouting priority -300; ip daddr 10.7.0.0/16 counter name "n"; }
      }\n`,
    });
    await edge.apply(withCards(plain, card("wan1", { off: true })));
    expect(await seenFrom(host, grouped, internet)).toBe(second);
    expect(await reaches(host, inSpace)).toBe("silence");
    const counter = await world.inet.run(["nft", "list", "counter", "inet", "leaks", "n"]);
    expect(counter).toContain("packets 0 ");
    await edge.apply(plain);
  });
});
