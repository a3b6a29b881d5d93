/** Configuration of one link's WireGuard interface (wg(8)). Pure. */
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import type { LinkState } from "@weft/contract/device/v1/tunnel.ts";

/** A link as this machine can have it. */
interface CarriedLink extends LinkState {
  /** The machine refuses IPv6 on its interface (without-refused.ts). */
  readonly isWithoutIpv6?: true;
}

/** The same with the namespace that it ends in; null is the main one. */
export interface PlacedLink extends CarriedLink {
  readonly netns: string | null;
}

/** Everything goes to the one peer: routing decides, not the peer's list. */
export const allowedIps = ["0.0.0.0/0", "::/0"];

/** Keeps the way through a line's NAT open and distinguishes a dead peer from a silent one. Seconds. */
export const keepalive = 10;

/** Mark of packets that must leave by a line; the underlay's rules send them to its table. */
export const markOf = (slot: number): number => markValue("line", slot) + markMask("outer");

/** The kernel has no IPv6 on an interface that carries less (RFC 8200 section 5). Bytes. */
const minIpv6Mtu = 1_280;
export const carriesIpv6 = ({ mtu, isWithoutIpv6 }: Pick<CarriedLink, "mtu" | "isWithoutIpv6">) =>
  mtu >= minIpv6Mtu && isWithoutIpv6 !== true;

/** Addresses that the link's interface has, in the order in which they are set. */
export const addressesOf = (link: PlacedLink): string[] =>
  carriesIpv6(link) ? [link.address6, link.address4] : [link.address4];

/** For `wg syncconf`: it keeps a session whose keys did not change, setconf would drop it. */
export const renderTunnel = (link: PlacedLink, privateKey: string): string =>
  [
    "[Interface]",
    `PrivateKey = ${privateKey}`,
    `ListenPort = ${link.listenPort}`,
    `FwMark = ${markText(markOf(link.slot))}`,
    "[Peer]",
    `PublicKey = ${link.peerKey}`,
    ...(link.endpoint === null
      ? []
      : [`Endpoint = ${link.endpoint}`, `PersistentKeepalive = ${keepalive}`]),
    `AllowedIPs = ${allowedIps.join(", ")}`,
    "",
  ].join("\n");
