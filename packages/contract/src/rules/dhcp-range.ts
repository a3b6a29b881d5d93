/** Addresses of a LAN that its DHCP server gives to hosts. */
import {
  addressOf,
  endsOf,
  formatAddress,
  isOrderedAddresses,
  isWithin,
  parsePrefix,
  spanOf,
} from "#rules/address.ts";

/** A site with more hosts at once in one network is rare; a flood of requests ends there. */
const maxAddresses = 1_000n;

/**
 * The upper half of a network, where no range is set: servers and routers with addresses of their own are mostly in
 * the lower one. Without the network's broadcast address, and of a network of four without the device itself.
 * @param own IPv4 address with length
 * @returns null: the network has no room for a host beside the device
 */
export const defaultRange = (text: string): { first: string; last: string } | null => {
  const prefix = parsePrefix(text);
  if (prefix?.family !== 4 || prefix.length > 30) return null;
  const size = 1n << BigInt(32 - prefix.length);
  const network = (prefix.address / size) * size;
  const top = network + size - 2n;
  const middle = network + size / 2n;
  const isOnly = middle === top && prefix.address === top;
  const first = isOnly ? top - 1n : middle;
  const full = first + maxAddresses - 1n;
  const last = isOnly ? first : full < top ? full : top;
  return { first: formatAddress(4, first), last: formatAddress(4, last) };
};

/** A LAN with the addresses that no host of it can have. */
interface GivingLan {
  /** The gateway of its hosts, with length. */
  readonly network: string;
  /** Addresses of the devices of a standby group beside that gateway. */
  readonly ownAddresses: readonly string[];
}

/** Why no host can have an address reserved in any of these LANs; null: one can. */
export const reservationObstacle = (
  address: string,
  lans: readonly GivingLan[],
): "outsideLans" | "addressOfLan" | null => {
  const lan = lans.find(({ network }) => isWithin(network, address));
  if (lan === undefined) return "outsideLans";
  const { network, ownAddresses } = lan;
  const taken = [addressOf(network), ...endsOf(network), ...ownAddresses];
  return taken.includes(address) ? "addressOfLan" : null;
};

export interface DhcpSpan {
  readonly first: string;
  readonly last: string;
}

/** What keeps a LAN from giving its hosts these addresses. */
interface RangeObstacle {
  readonly at: keyof DhcpSpan;
  /** `rangeHas`: an address in it is the LAN's own, as those of its devices and the ends of the network are. */
  readonly rule: "outsideSection" | "order" | "rangeHas";
  readonly address: string;
}

/** The first obstacle; null: hosts of the LAN can have all of these addresses. */
export const rangeObstacle = (
  { first, last }: DhcpSpan,
  { network, ownAddresses }: GivingLan,
): RangeObstacle | null => {
  if (!isWithin(network, first)) return { at: "first", rule: "outsideSection", address: first };
  if (!isWithin(network, last)) return { at: "last", rule: "outsideSection", address: last };
  if (!isOrderedAddresses(first, last)) return { at: "last", rule: "order", address: last };
  const span = spanOf(network);
  // A network of two addresses has no room for a host beside the device.
  const ends = endsOf(network);
  const all =
    ends.length > 0 || span === null
      ? ends
      : [span.first, span.last].map((end) => formatAddress(4, end));
  const inside = [addressOf(network), ...ownAddresses, ...all].find(
    (ownAddress) => isOrderedAddresses(first, ownAddress) && isOrderedAddresses(ownAddress, last),
  );
  return inside === undefined ? null : { at: "first", rule: "rangeHas", address: inside };
};
