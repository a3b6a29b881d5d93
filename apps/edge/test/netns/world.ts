/**
 * A small world for tests: a POP, three CPEs and a host behind each, joined by a router that represents
 * for the internet. CPE one and two are of space 1, three is of space 2; two and three have the
 * same LAN, 10.0.0.0/24. The POP's second client, CPE two, has a second line by DHCP.
 */
import { randomBytes } from "node:crypto";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { publicKeyOf } from "#drivers/tunnel/observe.ts";
import { lanSection } from "../states.ts";
import { cable, configureHost, NetnsMachine } from "./host.ts";

/** Any 32 bytes are a private key of X25519 (RFC 7748 section 5). */
export const newKey = (): string => randomBytes(32).toString("base64");

const asn = 65_010;
const bfd = { intervalMs: 100, multiplier: 4 };
const popAddress = "192.0.2.10";

export interface Site {
  readonly number: number;
  readonly spaceId: number;
  readonly lan: string;
  readonly lan6: string;
  readonly key: string;
}

export const makeSites = (): [Site, Site, Site] => [
  { number: 1, spaceId: 1, lan: "10.1.1.1/24", lan6: "fd57:1:1::1/64", key: newKey() },
  { number: 2, spaceId: 1, lan: "10.0.0.1/24", lan6: "fd57:1:2::1/64", key: newKey() },
  { number: 3, spaceId: 2, lan: "10.0.0.1/24", lan6: "fd57:2:3::1/64", key: newKey() },
];

interface Ends {
  readonly site: Site;
  readonly slot: number;
  readonly popKey: string;
}

const linkId = ({ site, slot }: Pick<Ends, "site" | "slot">): number => site.number * 10 + slot;

const cpeLink = (ends: Ends): LinkState => {
  const id = linkId(ends);
  return {
    id,
    interfaceName: `wl${id}`,
    listenPort: 51_000 + id,
    slot: ends.slot,
    mtu: 1_380,
    address4: `10.255.${id}.1/31`,
    address6: `fd57:ff:${id}::1/127`,
    peerAddress4: `10.255.${id}.0`,
    peerAddress6: `fd57:ff:${id}::`,
    peerKey: publicKeyOf(ends.popKey),
    endpoint: `${popAddress}:${52_000 + id}`,
    probe: true,
  };
};

const popLink = (ends: Ends): LinkState => {
  const id = linkId(ends);
  return {
    ...cpeLink(ends),
    listenPort: 52_000 + id,
    slot: 1,
    address4: `10.255.${id}.0/31`,
    address6: `fd57:ff:${id}::/127`,
    peerAddress4: `10.255.${id}.1`,
    peerAddress6: `fd57:ff:${id}::1`,
    peerKey: publicKeyOf(ends.site.key),
    endpoint: null,
    probe: false,
  };
};

const neighbor = (link: LinkState, slot: number, accept: string[] | null, client: boolean) => ({
  linkId: link.id,
  interfaceName: link.interfaceName,
  address4: link.peerAddress4,
  address6: link.peerAddress6,
  preference: 300 - 10 * slot,
  client,
  accept,
});

export const cpeState = (site: Site, popKey: string, slots: readonly number[]): DesiredState => {
  const links = slots.map((slot) => cpeLink({ site, slot, popKey }));
  const line = (slot: number) => ({
    slot,
    interfaceName: `wan${slot}`,
    addressing: slot === 2 ? ("dhcp" as const) : ("static" as const),
    ip: slot === 2 ? null : `198.51.100.${site.number * 10}/24`,
    gateway: slot === 2 ? null : "198.51.100.1",
  });
  return {
    node: {
      nodeId: site.number,
      kind: "cpe",
      hostname: `cpe${site.number}`,
      routerId: `10.254.0.${site.number}`,
    },
    underlay: {
      lines: slots.map(line),
      lans: [
        lanSection("lan0", [site.lan, site.lan6], {
          networks: [site.lan, site.lan6].map(networkOf),
        }),
      ],
    },
    static: { routes: [] },
    firewall: {
      wan: slots.map((slot) => `wan${slot}`),
      tunnelPorts: links.map((link) => link.listenPort),
    },
    tunnels: [{ spaceId: site.spaceId, netns: null, links }],
    routings: [
      {
        spaceId: site.spaceId,
        netns: null,
        asn,
        reflector: false,
        bfd,
        announce: [site.lan, site.lan6],
        neighbors: links.map((link) => neighbor(link, link.slot, null, false)),
      },
    ],
  };
};

/** Addresses of a CPE's WAN links, both static. */
export const staticLines = (site: Site): readonly [string, string] => [
  `198.51.100.${site.number * 10}`,
  `203.0.113.${site.number * 10}`,
];

/** A CPE with two static WAN links and nothing that needs a daemon: no tunnels, no DHCP, no routing. */
export const staticState = (site: Site): DesiredState => {
  const base = cpeState(site, newKey(), [1, 2]);
  const lines = base.underlay.lines.map((line) =>
    line.slot === 1
      ? line
      : {
          ...line,
          addressing: "static" as const,
          ip: `${staticLines(site)[1]}/24`,
          gateway: "203.0.113.1",
        },
  );
  return {
    ...base,
    underlay: { ...base.underlay, lines },
    tunnels: [],
    routings: [],
    spaces: [{ spaceId: site.spaceId, netns: null, networks: ["10.0.0.0/24"] }],
  };
};

export const popState = (
  sites: readonly { readonly site: Site; readonly slots: readonly number[] }[],
  popKey: string,
): DesiredState => {
  const spaces = [...new Set(sites.map(({ site }) => site.spaceId))];
  const ofSpace = spaces.map((spaceId) => ({
    spaceId,
    netns: `weft-s${spaceId}`,
    ends: sites
      .filter(({ site }) => site.spaceId === spaceId)
      .flatMap(({ site, slots }) => slots.map((slot) => ({ site, slot, popKey }))),
  }));
  return {
    node: { nodeId: 100, kind: "pop", hostname: "pop", routerId: "10.254.0.100" },
    underlay: {
      lines: [
        {
          slot: 1,
          interfaceName: "wan1",
          addressing: "static",
          ip: `${popAddress}/24`,
          gateway: "192.0.2.1",
        },
      ],
      lans: [],
    },
    static: { routes: [] },
    firewall: {
      wan: ["wan1"],
      tunnelPorts: ofSpace.flatMap(({ ends }) => ends.map((end) => popLink(end).listenPort)),
    },
    tunnels: ofSpace.map(({ spaceId, netns, ends }) => ({
      spaceId,
      netns,
      links: ends.map(popLink),
    })),
    routings: ofSpace.map(({ spaceId, netns, ends }) => ({
      spaceId,
      netns,
      asn,
      reflector: true,
      bfd,
      announce: [],
      neighbors: ends.map((end) =>
        neighbor(popLink(end), end.slot, [end.site.lan, end.site.lan6], true),
      ),
    })),
  };
};

export interface World {
  readonly inet: NetnsMachine;
  readonly pop: NetnsMachine;
  readonly cpes: readonly [NetnsMachine, NetnsMachine, NetnsMachine];
  readonly hosts: readonly [NetnsMachine, NetnsMachine, NetnsMachine];
  remove(): Promise<void>;
}

const wireInternet = async (
  inet: NetnsMachine,
  pop: NetnsMachine,
  cpes: readonly NetnsMachine[],
): Promise<void> => {
  await inet.run(["ip", "link", "add", "isp1", "type", "bridge"]);
  for (const [index, cpe] of cpes.entries()) {
    await cable([inet, `c${index + 1}`], [cpe, "wan1"]);
    await inet.run(["ip", "link", "set", `c${index + 1}`, "master", "isp1"]);
  }
  await cable([inet, "p1"], [pop, "wan1"]);
  const [, two] = cpes;
  if (two) await cable([inet, "isp2"], [two, "wan2"]);
  for (const [name, address] of [
    ["isp1", "198.51.100.1/24"],
    ["isp2", "203.0.113.1/24"],
    ["p1", "192.0.2.1/24"],
  ] as const) {
    await inet.run(["ip", "addr", "add", address, "dev", name]);
    await inet.run(["ip", "link", "set", name, "up"]);
  }
  await inet.run(["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"]);
  await inet.run([
    "dnsmasq",
    "--port=0",
    "--no-ping",
    "--interface=isp2",
    "--bind-dynamic",
    "--user=root",
    "--conf-file=/dev/null",
    "--dhcp-range=203.0.113.100,203.0.113.150,255.255.255.0,2m",
    "--dhcp-leasefile=/run/leases",
    "--pid-file=/run/dnsmasq.pid",
  ]);
};

/** Makes all machines and cables; no edge runs yet. */
export const createWorld = async (sites: readonly [Site, Site, Site]): Promise<World> => {
  const make = () => NetnsMachine.create();
  const [inet, pop] = [await make(), await make()];
  const cpes = [await make(), await make(), await make()] as const;
  const hosts = [await make(), await make(), await make()] as const;
  await wireInternet(inet, pop, cpes);
  for (const [index, site] of sites.entries()) {
    const [cpe, host] = [cpes[index], hosts[index]];
    if (!cpe || !host) continue;
    await cable([cpe, "lan0"], [host, "eth0"]);
    await configureHost(host, "eth0", [
      { address: site.lan.replace("1/24", "100/24"), gateway: site.lan.replace("/24", "") },
      { address: site.lan6.replace("1/64", "100/64"), gateway: site.lan6.replace("/64", "") },
    ]);
  }
  const all = [inet, pop, ...cpes, ...hosts];
  const remove = async () => {
    await Promise.all(all.map((machine) => machine.remove()));
  };
  return { inet, pop, cpes, hosts, remove };
};
