import { createPrivateKey, createPublicKey } from "node:crypto";
import type { Device } from "#drivers/device.ts";
import type { Run } from "#drivers/exec.ts";
import { globalAddresses, type IpLink, ipJson } from "#drivers/ip-json.ts";
import { listNetns } from "#drivers/netns.ts";
import type { FoundLink, TunnelFound } from "./plan.ts";

/** PKCS #8 wrapping of a raw X25519 key (RFC 8410 section 7). */
const pkcs8 = Buffer.from("302e020100300506032b656e04220420", "hex");

/** Public key of a raw private key, both base64 as wg(8) prints them. */
export const publicKeyOf = (privateKey: string): string => {
  const der = Buffer.concat([pkcs8, Buffer.from(privateKey, "base64")]);
  const key = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  return key.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
};

/** Live metrics of one interface's only peer. */
export interface PeerMetrics {
  /** Seconds since 1970; 0: never. */
  readonly handshakeAt: number;
  /** Last known endpoint of the peer, address:port; null: none yet. */
  readonly endpoint: string | null;
}

export interface DumpedInterface {
  readonly wireguard: NonNullable<FoundLink["wireguard"]>;
  readonly metrics: PeerMetrics;
}

/** Reads `wg show all dump`: tab-separated, an interface's line before those of its peers. */
export const parseDump = (text: string): Map<string, DumpedInterface> => {
  const interfaces = new Map<string, DumpedInterface>();
  for (const line of text.split("\n")) {
    const [name = "", ...fields] = line.split("\t");
    if (fields.length === 4) {
      const [, publicKey = "", port, mark] = fields;
      const fwmark = mark === "off" ? 0 : Number(mark);
      interfaces.set(name, {
        wireguard: { publicKey, listenPort: Number(port), fwmark, peers: [] },
        metrics: { handshakeAt: 0, endpoint: null },
      });
    }
    const owner = interfaces.get(name);
    if (fields.length !== 8 || !owner) continue;
    const [key = "", , endpoint = "", allowed = "", handshake, , , every] = fields;
    const peer = {
      key,
      allowedIps: allowed === "(none)" ? [] : allowed.split(","),
      keepalive: every === "off" ? null : Number(every),
    };
    interfaces.set(name, {
      wireguard: { ...owner.wireguard, peers: [...owner.wireguard.peers, peer] },
      metrics: {
        handshakeAt: Number(handshake),
        endpoint: endpoint === "(none)" ? null : endpoint,
      },
    });
  }
  return interfaces;
};

/** WireGuard's own view; user-space ones answer everywhere, the kernel's only in their namespace. */
export const readDump = async (
  run: Run,
  netns: string | null,
): Promise<Map<string, DumpedInterface>> =>
  parseDump(await run(["wg", "show", "all", "dump"], { netns }));

const linkName = /^wl\d+$/;

/** Interfaces of links in one namespace. */
export const readLinks = async (run: Run, netns: string | null): Promise<IpLink[]> =>
  (await ipJson<IpLink>(run, ["-s", "-d", "addr"], netns)).filter(({ ifname }) =>
    linkName.test(ifname),
  );

/** Endpoint last configured, as the record of the link shows. */
export type EndpointOf = (interfaceName: string) => string | null;

export const observeTunnels = async (
  device: Device,
  endpointOf: EndpointOf,
  publicKey: string,
): Promise<TunnelFound> => {
  const spaces = listNetns();
  const main = await readDump(device.run, null);
  const links: FoundLink[] = [];
  for (const netns of [null, ...spaces]) {
    const there = await readLinks(device.run, netns);
    const kernel = there.some(({ linkinfo }) => linkinfo?.info_kind === "wireguard");
    const dump = kernel && netns !== null ? await readDump(device.run, netns) : main;
    for (const link of there) {
      links.push({
        interfaceName: link.ifname,
        netns,
        up: link.flags.includes("UP"),
        mtu: link.mtu,
        addresses: globalAddresses(link),
        wireguard: dump.get(link.ifname)?.wireguard ?? null,
        endpoint: endpointOf(link.ifname),
      });
    }
  }
  return { netns: spaces, links, publicKey };
};
