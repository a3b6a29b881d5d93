/** Steps from the links that are there to those wanted. Pure. */

import { wantedNetns } from "@weft/contract/device/v1/spaces.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";
import { canonicalCidr } from "#drivers/address.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { addressesOf, allowedIps, keepalive, markOf, type PlacedLink } from "./render.ts";

export interface TunnelPart {
  readonly netns: readonly string[];
  readonly links: readonly PlacedLink[];
}

/** What the kernel and WireGuard say about one link interface. */
export interface FoundLink {
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
    readonly peers: readonly {
      readonly key: string;
      readonly allowedIps: readonly string[];
      readonly keepalive: number | null;
    }[];
  } | null;
  /** Endpoint that was configured last: the one in use moves with a peer that roams. */
  readonly endpoint: string | null;
}

export interface TunnelFound {
  readonly netns: readonly string[];
  readonly links: readonly FoundLink[];
  /** Of this device's key. */
  readonly publicKey: string;
}

export type TunnelStep = Step &
  (
    | { readonly kind: "add-netns"; readonly netns: string }
    | {
        readonly kind: "ensure";
        readonly link: PlacedLink;
        readonly rebuild: boolean;
        /** It was nowhere when the step was planned: a POP makes hundreds, and asks for none again. */
        readonly isMissing?: boolean;
      }
    | { readonly kind: "drop"; readonly interfaceName: string; readonly netns: string | null }
    | { readonly kind: "drop-netns"; readonly netns: string }
  );

const place = (link: LinkState, netns: string | null): PlacedLink => ({
  ...link,
  netns,
  // As the kernel writes them, so that they can be compared.
  address4: canonicalCidr(link.address4),
  address6: canonicalCidr(link.address6),
});

export const pickTunnels = (state: DesiredState | null): TunnelPart => ({
  netns: state === null ? [] : wantedNetns(state),
  links:
    state?.tunnels.flatMap(({ netns, links }) => links.map((link) => place(link, netns))) ?? [],
});

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value) => other.includes(value));

const peerDiffers = (link: PlacedLink, observed: FoundLink): boolean => {
  const [peer, ...more] = observed.wireguard?.peers ?? [];
  return (
    more.length > 0 ||
    peer?.key !== link.peerKey ||
    !same(peer.allowedIps, allowedIps) ||
    peer.keepalive !== (link.endpoint === null ? null : keepalive)
  );
};

/** What is not as it should be, as text; empty when all is. */
const differences = (link: PlacedLink, observed: FoundLink, publicKey: string): string[] => {
  const { wireguard } = observed;
  const checks: [boolean, string][] = [
    [!observed.up, "down"],
    [observed.mtu !== link.mtu, "mtu"],
    [!same(observed.addresses, addressesOf(link)), "addresses"],
    [wireguard === null, "no answer"],
    [wireguard?.publicKey !== publicKey, "own key"],
    [wireguard?.listenPort !== link.listenPort, "port"],
    [wireguard?.fwmark !== markOf(link.slot), "mark"],
    [peerDiffers(link, observed), "peer"],
    [observed.endpoint !== link.endpoint, "endpoint"],
  ];
  return checks.flatMap(([differs, keyword]) => (differs ? [keyword] : []));
};

const planLink = (link: PlacedLink, observed: TunnelFound): TunnelStep[] => {
  const ensure = (summary: string, rebuild: boolean, isMissing = false): TunnelStep[] => [
    {
      driver: "tunnel",
      kind: "ensure",
      phase: phases.addTunnel,
      summary,
      link,
      rebuild,
      ...(isMissing && { isMissing }),
      about: { section: "tunnel", kind: "link", object: link.interfaceName },
    },
  ];
  const name = link.interfaceName;
  const there = observed.links.find((observedLink) => observedLink.interfaceName === name);
  if (!there) return ensure(`make link ${name}`, false, true);
  // The socket of an interface cannot move: another namespace means another interface.
  if (there.netns !== link.netns) return ensure(`make link ${name} in its space`, true);
  const wrong = differences(link, there, observed.publicKey);
  if (wrong.length === 0) return [];
  return ensure(`set link ${name}: ${wrong.join(", ")}`, there.wireguard === null);
};

export const planTunnels = (part: TunnelPart, observed: TunnelFound): TunnelStep[] => {
  const wanted = new Set(part.links.map((link) => link.interfaceName));
  const netns = part.netns
    .filter((name) => !observed.netns.includes(name))
    .map((name): TunnelStep => {
      const summary = `add namespace ${name}`;
      return { driver: "tunnel", kind: "add-netns", phase: phases.addTunnel, summary, netns: name };
    });
  const drops = observed.links
    .filter((link) => !wanted.has(link.interfaceName))
    .map(({ interfaceName, netns: at }): TunnelStep => {
      const summary = `drop link ${interfaceName}`;
      const phase = phases.removeTunnel;
      return { driver: "tunnel", kind: "drop", phase, summary, interfaceName, netns: at };
    });
  const dropped = observed.netns
    .filter((name) => !part.netns.includes(name))
    .map((name): TunnelStep => {
      const summary = `drop namespace ${name}`;
      const phase = phases.removeTunnel;
      return { driver: "tunnel", kind: "drop-netns", phase, summary, netns: name };
    });
  return [
    ...netns,
    ...part.links.flatMap((link) => planLink(link, observed)),
    ...drops,
    ...dropped,
  ];
};
