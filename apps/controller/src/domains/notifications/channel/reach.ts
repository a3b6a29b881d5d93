/** Where requests to addresses that users enter may lead: webhooks, robots, identity providers (docs/adr/0030-channels.md). */
import { lookup as resolve } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** What no tenant may reach: this machine, private and special networks (RFC 6890, RFC 4291). */
const special = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Azure's own service to each of its machines, with their secrets.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/128",
  "::1/128",
  "64:ff9b:1::/48",
  "100::/64",
  "2001:db8::/32",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  // An IPv4 address inside: which one a gateway reaches is not known here.
  "64:ff9b::/96",
  "2002::/16",
  "2001::/32",
  "fec0::/10",
  "ff00::/8",
];

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    list.addSubnet(address, Number(length), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
};
const forbidden = listOf(special);

/** An IPv4 address in an IPv6 one (::ffff:10.0.0.1, and ::10.0.0.1, which is out of use). */
const embedded = listOf(["::ffff:0:0/96", "::/96"]);
const plainOf = (address: string): string | null => {
  if (isIP(address) !== 6 || !embedded.check(address, "ipv6")) return null;
  // The parser of URLs writes it in hexadecimal, in its shortest form.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":").slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group || "0", 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
};

/** `private`: of a network that the operator allows. */
export type Reach = "public" | "private" | "forbidden";

/** Decides where requests may lead. @param networks prefixes that are allowed besides public addresses */
export function createReach(networks: readonly string[]): (address: string) => Reach {
  const allowed = listOf(networks);
  return (address) => {
    const plain = plainOf(address);
    const target = plain ?? address;
    const family = isIP(target) === 6 ? "ipv6" : "ipv4";
    if (isIP(target) === 0) return "forbidden";
    if (allowed.check(target, family)) return "private";
    if (plain !== null && allowed.check(address, "ipv6")) return "private";
    return forbidden.check(target, family) ? "forbidden" : "public";
  };
}

/** Why nothing is sent to an address: it is private, or public and asked by http. */
export type Unreachable = "private" | "http";

export interface Guard {
  /** Refuses an address that is written in the URL. */
  check(url: URL): void;
  /** What a name resolves to is checked where it is used: a second look-up could answer differently. */
  lookupFor(url: URL): LookupFunction;
}

/**
 * @param networks prefixes that are allowed besides public addresses, also by http
 * @param errorOf what is thrown for an address that is not allowed
 */
export function createGuard(
  networks: readonly string[],
  errorOf: (why: Unreachable) => Error,
): Guard {
  const reachOf = createReach(networks);
  const faultOf = (address: string, { protocol }: URL): Error | null => {
    const reach = reachOf(address);
    if (reach === "forbidden") return errorOf("private");
    return reach === "public" && protocol !== "https:" ? errorOf("http") : null;
  };
  return {
    check(url) {
      const literal = url.hostname.replaceAll(/[[\]]/g, "");
      const fault = isIP(literal) === 0 ? null : faultOf(literal, url);
      if (fault) throw fault;
    },
    lookupFor: (url) => (host, options, done) =>
      resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, "");
        const fault = addresses.map(({ address }) => faultOf(address, url)).find((error) => error);
        const [first] = addresses;
        if (fault || !first) return done(fault ?? new Error("the name has no address"), "");
        if (options.all) return done(null, addresses);
        done(null, first.address, first.family);
      }),
  };
}
