import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LanSection } from "@weft/contract/device/v1/underlay.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import type { DriverName } from "#drivers/section-drivers.ts";

const key = (id: number): string => `${Buffer.alloc(32, id).toString("base64")}`;

/** A LAN section whose hosts may go everywhere. */
export const lanSection = (
  interfaceName: string,
  addresses: readonly [string, ...string[]],
  more: Partial<LanSection> = {},
): LanSection => ({
  interfaceName,
  vlan: 0,
  network: networkOf(addresses[0]),
  addresses: [...addresses],
  direct: true,
  forward: true,
  ...more,
});

/** State of a CPE with one line, one LAN and some links. */
export const cpeState = (
  options: { node?: number; links?: number; gateway?: string; probe?: boolean } = {},
): DesiredState => {
  const { node = 7, links = 1, gateway = "100.64.1.1", probe = true } = options;
  const ids = Array.from({ length: links }, (_, at) => at + 1);
  return {
    node: { nodeId: node, kind: "cpe", hostname: `cpe${node}`, routerId: "10.255.0.7" },
    underlay: {
      lines: [
        { slot: 1, interfaceName: "wan1", addressing: "static", ip: "100.64.1.2/24", gateway },
      ],
      lans: [lanSection("lan1", ["10.1.7.1/24", "fd00:7::1/64"])],
    },
    static: { routes: [{ destination: "10.9.0.0/16", nextHop: "10.1.7.254", metric: 1 }] },
    dns: {
      answers: [{ domain: "erp.example", address: "10.1.7.20" }],
      servers: [],
      denied: [],
      ranges: [],
    },
    spaces: [{ spaceId: 3, netns: null, networks: ["10.1.7.0/24", "10.1.8.0/24"] }],
    firewall: {
      wan: ["wan1"],
      tunnelPorts: ids.map((id) => 51_000 + id),
    },
    tunnels: [
      {
        spaceId: 3,
        netns: null,
        links: ids.map((id) => ({
          id,
          interfaceName: `wl${id}`,
          listenPort: 51_000 + id,
          slot: 1,
          mtu: 1_420,
          address4: `169.254.${id}.0/31`,
          address6: `fd00:ffff::${id}:0/127`,
          peerAddress4: `169.254.${id}.1`,
          peerAddress6: `fd00:ffff::${id}:1`,
          peerKey: key(id),
          endpoint: "100.64.0.10:51001",
          probe,
        })),
      },
    ],
    routings: [
      {
        spaceId: 3,
        netns: null,
        asn: 65_003,
        reflector: false,
        bfd: { intervalMs: 300, multiplier: 3 },
        announce: ["10.1.7.0/24"],
        neighbors: ids.map((id) => ({
          linkId: id,
          interfaceName: `wl${id}`,
          address4: `169.254.${id}.1`,
          address6: `fd00:ffff::${id}:1`,
          preference: 100,
          client: false,
          accept: null,
        })),
      },
    ],
  };
};

/** What each driver has applied on a device that runs no state: a new driver has to be named here. */
export const nothingApplied: Readonly<Record<DriverName, Record<string, never>>> = {
  isolation: {},
  underlay: {},
  firewall: {},
  tunnel: {},
  client: {},
  routing: {},
  probe: {},
  dns: {},
  filters: {},
  shaping: {},
  paths: {},
  classes: {},
  segment: {},
  standby: {},
  acceleration: {},
  flows: {},
};
