/** Steps from the client interfaces that are there to those wanted. Pure. */
import type { ClientSection } from "@weft/contract/device/v1/client.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { canonicalCidr } from "#drivers/address.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { markOf } from "#drivers/tunnel/render.ts";
import { poolName } from "#drivers/without-refused.ts";

export type ClientPart = readonly ClientSection[];

/** What the kernel and WireGuard say about one interface of clients. */
export interface FoundClients {
  readonly interfaceName: string;
  readonly netns: string | null;
  readonly up: boolean;
  readonly mtu: number;
  /** Global addresses, address/length. */
  readonly addresses: readonly string[];
  /** Null when WireGuard does not answer for the interface. */
  readonly wireguard: {
    readonly publicKey: string;
    readonly listenPort: number;
    readonly fwmark: number;
    readonly peers: readonly { readonly key: string; readonly allowedIps: readonly string[] }[];
  } | null;
}

export interface ClientFound {
  readonly interfaces: readonly FoundClients[];
  /** Of this device's key. */
  readonly publicKey: string;
  /** Ms since 1970 on the device's clock: ends of accounts count without the controller. */
  readonly now: number;
}

export type ClientStep = Step &
  (
    | { readonly kind: "ensure"; readonly section: ClientSection; readonly rebuild: boolean }
    | { readonly kind: "drop"; readonly interfaceName: string; readonly netns: string | null }
  );

export const pickClients = (state: DesiredState | null): ClientPart =>
  (state?.clients ?? []).map((section) => ({
    ...section,
    address: canonicalCidr(section.address),
  }));

/** The section without accounts whose end has come. */
export const atTime = (section: ClientSection, now: number): ClientSection => ({
  ...section,
  peers: section.peers.filter(({ until }) => until === null || until > now),
});

const peerText = (key: string, allowedIps: readonly string[]): string =>
  `${key} ${[...allowedIps].sort().join(",")}`;

const samePeers = (section: ClientSection, found: FoundClients): boolean => {
  const wanted = section.peers.map((one) => peerText(one.publicKey, [`${one.address}/32`]));
  const there = (found.wireguard?.peers ?? []).map((one) => peerText(one.key, one.allowedIps));
  return wanted.sort().join("\n") === there.sort().join("\n");
};

/** What is not as it should be, as text; empty when all is. */
const differences = (section: ClientSection, found: FoundClients, publicKey: string): string[] => {
  const { wireguard } = found;
  const checks: [boolean, string][] = [
    [!found.up, "down"],
    [found.mtu !== section.mtu, "mtu"],
    [found.addresses.join() !== section.address, "address"],
    [wireguard === null, "no answer"],
    [wireguard?.publicKey !== publicKey, "own key"],
    [wireguard?.listenPort !== section.listenPort, "port"],
    [wireguard?.fwmark !== markOf(section.slot), "mark"],
    [!samePeers(section, found), "accounts"],
  ];
  return checks.flatMap(([differs, keyword]) => (differs ? [keyword] : []));
};

const planOne = (wanted: ClientSection, found: ClientFound): ClientStep[] => {
  const section = atTime(wanted, found.now);
  const ensure = (summary: string, rebuild: boolean): ClientStep[] => [
    {
      driver: "client",
      kind: "ensure",
      phase: phases.addTunnel,
      summary,
      section,
      rebuild,
      about: poolName(section.interfaceName),
    },
  ];
  const name = section.interfaceName;
  const there = found.interfaces.find((one) => one.interfaceName === name);
  if (!there) return ensure(`let mobile accounts in at ${name}`, false);
  if (there.netns !== section.netns) return ensure(`make ${name} in its space`, true);
  const wrong = differences(section, there, found.publicKey);
  if (wrong.length === 0) return [];
  return ensure(`set ${name}: ${wrong.join(", ")}`, there.wireguard === null);
};

export const planClients = (part: ClientPart, found: ClientFound): ClientStep[] => {
  const wanted = new Set(part.map(({ interfaceName }) => interfaceName));
  const drops = found.interfaces
    .filter(({ interfaceName }) => !wanted.has(interfaceName))
    .map(({ interfaceName, netns }): ClientStep => {
      const summary = `let no mobile accounts in at ${interfaceName}`;
      const phase = phases.removeTunnel;
      return { driver: "client", kind: "drop", phase, summary, interfaceName, netns };
    });
  return [...part.flatMap((section) => planOne(section, found)), ...drops];
};
