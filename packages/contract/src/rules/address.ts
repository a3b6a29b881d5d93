/**
 * Addresses and prefixes as text (RFC 4632, RFC 4291, RFC 5952, RFC 4193). Parsing is our own only
 * as far as the contract may import nothing but zod: zod's own formats do the grammar, the code
 * here does the arithmetic on the parsed value.
 */
import { z } from "zod";
import { failsWith } from "#kernel/rule.ts";

/** A parsed prefix: numeric address, its width in bits and the prefix length. */
export interface Prefix {
  readonly family: 4 | 6;
  readonly address: bigint;
  readonly length: number;
}

const dot = ".".charCodeAt(0);
const zero = "0".charCodeAt(0);

/** Texts that are remembered, and their length: a fleet has the same few networks in thousands of states. */
const limits = { texts: 10_000, length: 64 } as const;

/** What follows from a text alone, for texts that come again and again. */
function remembered<Value>(of: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    const value = of(text);
    if (text.length > limits.length) return value;
    if (known.size >= limits.texts) known.clear();
    known.set(text, value);
    return value;
  };
}

/**
 * The number of a dotted quad of decimals without leading zeros (RFC 6943, 3.1.1); null: the text is none. Read by
 * characters, because a state names thousands of networks and each is read several times.
 */
const number4 = (text: string): number | null => {
  let value = 0;
  let octets = 0;
  let octet = 0;
  let digits = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? dot : text.charCodeAt(at);
    if (code === dot) {
      if (digits === 0 || octets === 4) return null;
      value = value * 256 + octet;
      octets++;
      octet = 0;
      digits = 0;
      continue;
    }
    const digit = code - zero;
    const hasLeadingZero = digits > 0 && octet === 0;
    if (digit < 0 || digit > 9 || hasLeadingZero) return null;
    octet = octet * 10 + digit;
    digits++;
    if (octet > 255) return null;
  }
  return octets === 4 ? value : null;
};

const parse4 = (text: string): bigint | null => {
  const value = number4(text);
  return value === null ? null : BigInt(value);
};

const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));

/** Made once: a schema costs more than what it checks. */
const v6 = z.ipv6();

const parse6 = (text: string): bigint | null => {
  if (!v6.safeParse(text).success) return null;
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted ? parse4(dotted[1] as string) : null;
  const plain =
    tail === null
      ? text
      : text.replace(
          /\d+\.\d+\.\d+\.\d+$/,
          `${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`,
        );
  const [head = "", rest] = plain.split("::");
  const left = groups(head);
  const right = rest === undefined ? [] : groups(rest);
  const all = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
};

/** Numeric form of an address with its family; null when the text is no address. */
export const parseAddress = (text: string): { family: 4 | 6; address: bigint } | null => {
  const four = parse4(text);
  if (four !== null) return { family: 4, address: four };
  const six = parse6(text);
  return six === null ? null : { family: 6, address: six };
};

/** Parses `address/length`; host bits are kept. Null when the text is no prefix. */
export const parsePrefix: (text: string) => Prefix | null = remembered((text) => {
  const [address = "", length = "", extra] = text.split("/");
  const parsed = parseAddress(address);
  if (!parsed || extra !== undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return null;
  const bits = parsed.family === 4 ? 32 : 128;
  return Number(length) > bits ? null : { ...parsed, length: Number(length) };
});

/** Masks by prefix length. */
const masksOf = (width: number): bigint[] =>
  Array.from({ length: width + 1 }, (_, length) => {
    const hostBits = BigInt(width - length);
    return ((1n << BigInt(width)) - 1n) ^ ((1n << hostBits) - 1n);
  });
const masks = { 4: masksOf(32), 6: masksOf(128) };

const mask = ({ family, length }: Prefix): bigint => masks[family][length] as bigint;

/** True when the two prefixes share an address; different families never do. */
export const overlaps = (prefix: Prefix, other: Prefix): boolean => {
  if (prefix.family !== other.family) return false;
  const shared = prefix.length < other.length ? mask(prefix) : mask(other);
  return (prefix.address & shared) === (other.address & shared);
};

/** True when all of the inner prefix lies in the outer one, also when they are the same. */
export const covers = (outer: Prefix, inner: Prefix): boolean =>
  outer.length <= inner.length && overlaps(outer, inner);

const format6 = (value: bigint): string => {
  const parts = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  const runs = [...parts.join(":").matchAll(/\b0(?::0)+\b/g)];
  const longest = runs.reduce((best, run) => (run[0].length > best.length ? run[0] : best), "");
  if (longest === "") return parts.join(":");
  const joined = parts.join(":");
  const at = joined.search(new RegExp(`(^|:)${longest}(:|$)`));
  const start = joined[at] === ":" ? at + 1 : at;
  return `${joined.slice(0, start).replace(/:$/, "")}::${joined.slice(start + longest.length).replace(/^:/, "")}`;
};

const format4 = (value: number): string =>
  `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;

/** Text form of a numeric address (RFC 5952 for IPv6). */
export const formatAddress = (family: 4 | 6, value: bigint): string =>
  family === 4 ? format4(Number(value)) : format6(value);

/** The network of a prefix: "10.1.1.1/24" gives "10.1.1.0/24". Throws on text that is no prefix. */
export const networkOf: (text: string) => string = remembered((text) => {
  const prefix = parsePrefix(text);
  if (!prefix) throw new Error(`not a prefix: ${text}`);
  return `${formatAddress(prefix.family, prefix.address & mask(prefix))}/${prefix.length}`;
});

/** The address part of `address/length`. */
export const addressOf = (text: string): string => text.split("/")[0] ?? text;

const isUla = (prefix: Prefix | null): boolean =>
  prefix !== null && prefix.family === 6 && prefix.address >> 121n === 0x7en;

export const ipv4Address = z.string().refine((v) => parse4(v) !== null, failsWith("ipv4"));
export const ipAddress = z.string().refine((v) => parseAddress(v) !== null, failsWith("ip"));
/** IPv4 address with prefix length; host bits allowed. */
export const ipv4Cidr = z
  .string()
  .refine((v) => parsePrefix(v)?.family === 4, failsWith("ipv4Cidr"));
/** IPv4 or IPv6 prefix; host bits allowed. */
export const ipCidr = z.string().refine((v) => parsePrefix(v) !== null, failsWith("cidr"));
/** A prefix of either family without host bits: those that are sent are taken off. */
export const ipNetwork = z.codec(z.string(), ipCidr, {
  decode: (value) => (parsePrefix(value) ? networkOf(value) : value),
  encode: (value) => value,
});
/** A prefix inside fc00::/7 (RFC 4193). */
export const ulaCidr = z.string().refine((v) => isUla(parsePrefix(v)), failsWith("ulaCidr"));

/** Two addresses of one family, the first not above the second. */
export const isOrderedAddresses = (start: string, end: string): boolean => {
  const [low, high] = [parseAddress(start), parseAddress(end)];
  return low !== null && high !== null && low.family === high.family && low.address <= high.address;
};

/** `start-end` of one family. */
export const isAddressRange = (value: string, family: 4 | 6): boolean => {
  const [start = "", end = "", extra] = value.split("-");
  return (
    extra === undefined && parseAddress(start)?.family === family && isOrderedAddresses(start, end)
  );
};

/** A dotted mask: contiguous ones from the left, prefix length 1 to 32 (section 3). */
export const isMask = (value: string): boolean => {
  const bits = parse4(value)?.toString(2).padStart(32, "0") ?? "";
  return /^1+0*$/.test(bits) && bits.length === 32;
};

/** Prefix length of a dotted mask (`isMask`). */
export const maskLength = (mask: string): number =>
  mask
    .split(".")
    .reduce((sum, part) => sum + Number(part).toString(2).replaceAll("0", "").length, 0);

/** First and last address of an address, a prefix or a range `start-end`; null: it is none. */
export const spanOf = (text: string): { family: 4 | 6; first: bigint; last: bigint } | null => {
  const prefix = parsePrefix(text);
  if (prefix) {
    const kept = mask(prefix);
    const all = (1n << (prefix.family === 4 ? 32n : 128n)) - 1n;
    const first = prefix.address & kept;
    return { family: prefix.family, first, last: first | (all ^ kept) };
  }
  const [start = "", end = start] = text.split("-");
  const [low, high] = [parseAddress(start), parseAddress(end)];
  if (!low || !high || low.family !== high.family) return null;
  return { family: low.family, first: low.address, last: high.address };
};

/**
 * What no network of a site may be part of: "this" network, loopback, link-local and multicast (RFC 6890), and the
 * addresses inside tunnels, which have to be found whatever a tenant announces: 169.254.0.0/16 and fd57:6566::/32 of
 * links, 198.18.0.0/15 of segment routes (ADR 0007, ADR 0026).
 */
const reservedTexts = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/3",
  "::/127",
  "::ffff:0:0/96",
  "fd57:6566::/32",
  "fe80::/10",
  "ff00::/8",
] as const;
const reserved = reservedTexts.flatMap((network) => parsePrefix(network) ?? []);

/** True for a network, or an address with length, that is part of one that no site may have. */
export const isReserved = (network: string): boolean => {
  const parsed = parsePrefix(network);
  return parsed !== null && reserved.some((prefix) => covers(prefix, parsed));
};

const notReserved = failsWith("reservedNetwork");
/** The same as a schema of what it is about, for networks that sites have, announce or route. */
export const ofSites = <Schema extends z.ZodType<string | null, string | null>>(schema: Schema) =>
  schema.refine((value) => value === null || !isReserved(value), notReserved);

/**
 * Addresses of the network itself and of its broadcast, without length; none where hosts have all: of a length of 31 or 32
 * (RFC 3021), in IPv6, and of what is no network.
 */
export const endsOf = (network: string): string[] => {
  const [prefix, span] = [parsePrefix(network), spanOf(network)];
  if (prefix?.family !== 4 || prefix.length > 30 || span === null) return [];
  return [formatAddress(4, span.first), formatAddress(4, span.last)];
};

/**
 * No device and no router has an address in them that another one can name: "this" network, loopback, multicast, what is not
 * assigned, and, of IPv6, addresses that mean something with an interface only (RFC 6890).
 */
const ofNoHost = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "224.0.0.0/3",
  "::/127",
  "::ffff:0:0/96",
  "fe80::/10",
  "ff00::/8",
];

const hasHost = (address: string): boolean =>
  !ofNoHost.some((network) => isWithin(network, address));

/** An address with length that a device can have; true also for what is none, which is another rule's matter. */
export const isHostAddress = (value: string): boolean => {
  const address = addressOf(value);
  return hasHost(address) && !endsOf(value).includes(address);
};

const isNarrow = (value: string): boolean => {
  const prefix = parsePrefix(value);
  return prefix === null || prefix.length >= (prefix.family === 4 ? 8 : 16);
};

/** True for a network that is larger than the inner one and has it inside. */
const hasInside = (network: string, inner: string): boolean =>
  isNetworkWithin(network, inner) && !isNetworkWithin(inner, network);

/**
 * Addresses with length of interfaces. One in a network that is as large as a default route would take what routes lead
 * elsewhere. One in a network with reserved ones inside would make the addresses inside tunnels, and those that mean
 * something on one interface only, hosts of that interface: what is refused by itself is refused inside a larger one. Routes
 * and announcements may be summaries: what has a longer prefix, as tunnels do, is found all the same.
 */
export const ofInterfaces = <Schema extends z.ZodType<string, string>>(schema: Schema) =>
  reservedTexts.reduce<z.ZodType<string, string>>(
    (narrow, inner) =>
      narrow.refine(
        (value) => !isNarrow(value) || !hasInside(value, inner),
        failsWith("reservedInside", { network: inner }),
      ),
    schema.refine(isNarrow, failsWith("wideNetwork")),
  );

/** IPv4 addresses that links have inside (ADR 0007): 169.254.0.0/16 without its first /24. */
const insideLinks = "169.254.1.0-169.254.255.255";
/**
 * Addresses with length of WAN links: carriers use link-local ones for a transfer network, which works beside those inside
 * tunnels only.
 */
export const besideLinks = <Schema extends z.ZodType<string, string>>(schema: Schema) =>
  schema.refine(
    (value) => {
      const [own, inside] = [spanOf(value), spanOf(insideLinks)];
      if (own?.family !== 4 || inside === null) return true;
      return own.last < inside.first || own.first > inside.last;
    },
    failsWith("insideLinks", { range: insideLinks }),
  );

/** Address with length that a WAN link can have, whoever gives it. */
export const lineAddress = besideLinks(ofInterfaces(ipv4Cidr)).refine(
  isHostAddress,
  failsWith("hostAddress"),
);

/** Addresses of hosts, routers and servers. */
export const ipv4Host = ipv4Address.refine(isHostAddress, failsWith("hostAddress"));
export const ipHost = ipAddress.refine(isHostAddress, failsWith("hostAddress"));

/** Addresses that are not reached from elsewhere: private, shared and link-local ones (RFC 1918, RFC 6598, RFC 3927). */
const unreachable = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
];
export const isPrivateAddress = (address: string): boolean =>
  unreachable.some((network) => isWithin(network, address));

const ofInternet = ["2000::/3", "fc00::/7"];

/** In IPv6 the first address of a network is that of all its routers (RFC 4291, 2.6.1), but of links between two (RFC 6164). */
const isFirstOfNetwork = (value: string): boolean => {
  const [prefix, span] = [parsePrefix(value), spanOf(value)];
  return prefix?.family === 6 && prefix.length < 127 && prefix.address === span?.first;
};

/** IPv6 address with length that a WAN link can have. */
export const lineAddress6 = ofInterfaces(
  z.string().refine((value) => parsePrefix(value)?.family === 6, failsWith("ipv6Cidr")),
)
  .refine((value) => !isReserved(value), notReserved)
  .refine(
    (value) => ofInternet.some((network) => isWithin(network, addressOf(value))),
    failsWith("ipv6Host"),
  )
  .refine((value) => !isFirstOfNetwork(value), failsWith("hostAddress"));

/** Routers are mostly named by an address that means something on the link only. */
export const gateway6 = z
  .string()
  .refine(
    (value) =>
      parseAddress(value)?.family === 6 &&
      [...ofInternet, "fe80::/10"].some((network) => isWithin(network, value)),
    failsWith("gateway6"),
  );

/** A gateway that can be one for a line with this address: somebody else's, and no end of the line's network. */
export const isGatewayOf = (ip: string, gateway: string): boolean =>
  hasHost(gateway) && gateway !== addressOf(ip) && !endsOf(ip).includes(gateway);

/** A default route, or nearly one such as 0.0.0.0/1: it contains everything, and that is what it is for. */
export const isNearlyDefault = (network: string): boolean =>
  (parsePrefix(network)?.length ?? 0) < (network.includes(":") ? 7 : 8);

/** A prefix as it is; an address as one of its own. */
export const prefixText = (text: string): string =>
  text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`;

/** True when all of the inner network lies in the outer one; false also for what is no prefix. */
export const isNetworkWithin = (outer: string, inner: string): boolean => {
  const [outside, inside] = [parsePrefix(outer), parsePrefix(inner)];
  return outside !== null && inside !== null && covers(outside, inside);
};

/** True when two networks share an address; false also for what is no prefix. */
export const networksOverlap = (text: string, other: string): boolean => {
  const [first, second] = [parsePrefix(text), parsePrefix(other)];
  return first !== null && second !== null && overlaps(first, second);
};

/** True when the address lies in the network; false also for what is neither. */
export const isWithin = (network: string, address: string): boolean =>
  isNetworkWithin(network, `${address}/${address.includes(":") ? 128 : 32}`);

/** Two texts of one address are equal. */
export const isSameAddress = (text: string, other: string): boolean =>
  isWithin(prefixText(text), other);
