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

const samePeers = (section: ClientSection, observed: FoundClients): boolean => {
  const wanted = section.peers.map((peer) => peerText(peer.publicKey, [`${peer.address}/32`]));
  const there = (observed.wireguard?.peers ?? []).map((peer) =>
    peerText(peer.key, peer.allowedIps),
  );
  return wanted.sort().join("\n") === there.sort().join("\n");
};

/** What is not as it should be, as text; empty when all is. */
const differences = (
  section: ClientSection,
  observed: FoundClients,
  publicKey: string,
): string[] => {
  const { wireguard } = observed;
  const checks: [boolean, string][] = [
    [!observed.up, "down"],
    [observed.mtu !== section.mtu, "mtu"],
    [observed.addresses.join() !== section.address, "address"],
    [wireguard === null, "no answer"],
    [wireguard?.publicKey !== publicKey, "own key"],
    [wireguard?.listenPort !== section.listenPort, "port"],
    [wireguard?.fwmark !== markOf(section.slot), "mark"],
    [!samePeers(section, observed), "accounts"],
  ];
  return checks.flatMap(([differs, keyword]) => (differs ? [keyword] : []));
};

const planOne = (wanted: ClientSection, observed: ClientFound): ClientStep[] => {
  const section = atTime(wanted, observed.now);
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
  const there = observed.interfaces.find((observed) => observed.interfaceName === name);
  if (!there) return ensure(`let mobile accounts in at ${name}`, false);
  if (there.netns !== section.netns) return ensure(`make ${name} in its space`, true);
  const wrong = differences(section, there, observed.publicKey);
  if (wrong.length === 0) return [];
  return ensure(`set ${name}: ${wrong.join(", ")}`, there.wireguard === null);
};

export const planClients = (part: ClientPart, observed: ClientFound): ClientStep[] => {
  const wanted = new Set(part.map(({ interfaceName }) => interfaceName));
  const drops = observed.interfaces
    .filter(({ interfaceName }) => !wanted.has(interfaceName))
    .map(({ interfaceName, netns }): ClientStep => {
      const summary = `let no mobile accounts in at ${interfaceName}`;
      const phase = phases.removeTunnel;
      return { driver: "client", kind: "drop", phase, summary, interfaceName, netns };
    });
  return [...part.flatMap((section) => planOne(section, observed)), ...drops];
};
