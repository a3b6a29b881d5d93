/** What the DHCP client of a line reported of IPv6, and what of it is used. Everything in it came from a network. Pure. */
import {
  formatAddress,
  isNetworkWithin,
  isReserved,
  isSameAddress,
  isWithin,
  networkOf,
  parseAddress,
  parsePrefix,
} from "@weft/contract/rules/address.ts";

/** Options of router advertisements or of DHCPv6 as dhcpcd prints them (dhcpcd-run-hooks(8)). */
export interface Ipv6Report {
  /** Seconds since the machine booted. */
  readonly at: number;
  /** The line's link-local address: the other half of one that is formed from an advertisement. */
  readonly linkLocal: string | null;
  readonly options: Readonly<Record<string, string>>;
}

export interface Ipv6Reports {
  /** Of router advertisements; null: none came. */
  readonly ra: Ipv6Report | null;
  /** Of DHCPv6; null: no server gave anything. */
  readonly dhcp: Ipv6Report | null;
}

/** Seconds since the machine booted at which it ends; null: never. */
type End = number | null;

/** An address with its length, or a prefix. */
export interface Held {
  readonly value: string;
  readonly preferredUntil: End;
  readonly validUntil: End;
}

/** What a line has of IPv6. */
export interface Ipv6Lease {
  /** With length; null: none. */
  readonly address: Held | null;
  /** Link-local address of the router; null: none. */
  readonly gateway: string | null;
  /** Delegated for LANs; null: none. */
  readonly prefix: Held | null;
}

/** As options say "for good". */
const infinite = 0xffff_ffff;
/** Routers and prefixes of a link that are looked at. */
const most = 8;

const secondsOf = (text: string | undefined): number => {
  const seconds = Number(text ?? "0");
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= infinite ? seconds : 0;
};

/** RFC 4862 (5.5.3 c) and RFC 8415 (21.6, 21.22): what is preferred for longer than it is valid is ignored. */
const isCoherent = ({ preferredUntil, validUntil }: Omit<Held, "value">): boolean =>
  validUntil === null || (preferredUntil !== null && preferredUntil <= validUntil);

const endOf = (at: number, seconds: number): End => (seconds === infinite ? null : at + seconds);
const isOver = (end: End, now: number): boolean => end !== null && now >= end;

const numbered = <Value>(read: (number: number) => Value | null): Value[] =>
  Array.from({ length: most }, (_, at) => read(at + 1)).filter((one) => one !== null);

/** Addresses of the internet, and unique local ones (RFC 4291, RFC 4193). */
const isUsable = (address: string): boolean =>
  ["2000::/3", "fc00::/7"].some((network) => isWithin(network, address)) &&
  !isReserved(`${address}/128`);

interface Prefix extends Held {
  readonly isOnLink: boolean;
  readonly formsAddresses: boolean;
}

interface Router {
  readonly address: string;
  readonly isDefault: boolean;
  readonly prefixes: readonly Prefix[];
}

const routersOf = ({ at, linkLocal, options }: Ipv6Report, now: number): Router[] =>
  numbered((number) => {
    const own = (name: string): string | undefined => options[`nd${number}_${name}`];
    const address = own("from") ?? "";
    if (parseAddress(address)?.family !== 6 || !isWithin("fe80::/10", address)) return null;
    // A router is somebody else: the kernel refuses a next hop of its own.
    if (isSameAddress(address, linkLocal ?? "")) return null;
    // Later advertisements of other routers come with those that came before.
    const age = Math.max(0, secondsOf(own("now")) - secondsOf(own("acquired")));
    const since = at - age;
    return {
      address,
      isDefault: !isOver(since + secondsOf(own("lifetime")), now),
      prefixes: numbered((one) => {
        const of = (name: string) => own(`prefix_information${one}_${name}`);
        const value = `${of("prefix")}/${of("length")}`;
        if (parsePrefix(value)?.family !== 6) return null;
        const flags = of("flags") ?? "";
        return {
          value,
          isOnLink: flags.includes("L"),
          formsAddresses: flags.includes("A"),
          preferredUntil: endOf(since, secondsOf(of("pltime"))),
          validUntil: endOf(since, secondsOf(of("vltime"))),
        };
      }).filter((one) => isCoherent(one) && !isOver(one.validUntil, now)),
    };
  });

/** The prefix with the second half of the link-local address (RFC 4862, 5.5.3). */
const formed = (prefix: Prefix, linkLocal: string | null): Held | null => {
  const network = parsePrefix(prefix.value);
  const own = parseAddress(linkLocal ?? "");
  if (network?.length !== 64 || own?.family !== 6) return null;
  const low = (1n << 64n) - 1n;
  const address = formatAddress(6, (network.address & ~low) | (own.address & low));
  // One that is not known to be on the link is reached by the router only.
  return { ...prefix, value: `${address}/${prefix.isOnLink ? 64 : 128}` };
};

/** Of those that still hold, one that new connections may use. */
const best = (all: readonly Held[], now: number): Held | null =>
  all.find(({ preferredUntil }) => !isOver(preferredUntil, now)) ?? all[0] ?? null;

const byDhcp = (report: Ipv6Report | null, now: number): Held[] =>
  report === null
    ? []
    : numbered((number) => {
        const own = (name: string) => report.options[`new_dhcp6_ia_na1_ia_addr${number}${name}`];
        const address = own("") ?? "";
        if (parseAddress(address)?.family !== 6) return null;
        return {
          value: `${formatAddress(6, parseAddress(address)?.address ?? 0n)}/128`,
          preferredUntil: endOf(report.at, secondsOf(own("_pltime"))),
          validUntil: endOf(report.at, secondsOf(own("_vltime"))),
        };
      }).filter((one) => isCoherent(one) && !isOver(one.validUntil, now));

/** Only addresses of the internet are divided: hosts have those of the site anyway. */
const isDelegable = (value: string): boolean => {
  const prefix = parsePrefix(value);
  return (
    prefix !== null &&
    prefix.length >= 16 &&
    prefix.length <= 64 &&
    isNetworkWithin("2000::/3", value) &&
    networkOf(value) === `${formatAddress(6, prefix.address)}/${prefix.length}`
  );
};

const prefixesOf = (report: Ipv6Report | null, now: number): Held[] =>
  report === null
    ? []
    : numbered((number) =>
        numbered((one): Held | null => {
          const own = (name: string) =>
            report.options[`new_dhcp6_ia_pd${number}_prefix${one}${name}`];
          const prefix = parsePrefix(`${own("")}/${own("_length")}`);
          if (prefix?.family !== 6) return null;
          return {
            value: `${formatAddress(6, prefix.address)}/${prefix.length}`,
            preferredUntil: endOf(report.at, secondsOf(own("_pltime"))),
            validUntil: endOf(report.at, secondsOf(own("_vltime"))),
          };
        }),
      )
        .flat()
        .filter((one) => isCoherent(one) && !isOver(one.validUntil, now));

const byAdvertisement = (routers: readonly Router[], linkLocal: string | null): Held[] =>
  routers
    .flatMap(({ prefixes }) => prefixes)
    .flatMap((prefix) => (prefix.formsAddresses ? (formed(prefix, linkLocal) ?? []) : []));

const plain = ({ value, preferredUntil, validUntil }: Held): Held => ({
  value,
  preferredUntil,
  validUntil,
});

/**
 * What of the reports holds now: the address that a server gave, else one that is formed from an advertisement.
 *
 * @param now seconds since the machine booted
 * @returns null: nothing
 */
export const ipv6LeaseOf = ({ ra, dhcp }: Ipv6Reports, now: number): Ipv6Lease | null => {
  const routers = ra === null ? [] : routersOf(ra, now);
  const given = byDhcp(dhcp, now).filter(({ value }) => isUsable(value.split("/")[0] ?? ""));
  const own = byAdvertisement(routers, ra?.linkLocal ?? null).filter(({ value }) =>
    isUsable(value.split("/")[0] ?? ""),
  );
  const address = best(given, now) ?? best(own, now);
  const gateway = routers.find(({ isDefault }) => isDefault)?.address ?? null;
  const delegated = prefixesOf(dhcp, now).filter(({ value }) => isDelegable(value));
  const prefix = best(delegated, now);
  if (address === null && gateway === null && prefix === null) return null;
  return { address: address && plain(address), gateway, prefix };
};

/** Addresses and prefixes that came and that no line can have, as people read them. */
export const refusedOf = ({ ra, dhcp }: Ipv6Reports, now: number): string[] => {
  const came = [
    ...byDhcp(dhcp, now).map(({ value }) => value),
    ...(ra === null ? [] : routersOf(ra, now))
      .flatMap(({ prefixes }) => prefixes)
      .flatMap(({ value, formsAddresses }) => (formsAddresses ? [networkOf(value)] : [])),
  ];
  return [
    ...came.filter((value) => !isUsable(value.split("/")[0] ?? "")),
    ...prefixesOf(dhcp, now)
      .map(({ value }) => value)
      .filter((value) => !isDelegable(value)),
  ];
};

/** Null: it is none. */
export const parseIpv6Report = (text: string): Ipv6Report | null => {
  try {
    const { at, linkLocal, options } = JSON.parse(text) as Partial<Ipv6Report>;
    if (typeof at !== "number" || !Number.isFinite(at)) return null;
    const known = Object.entries(options ?? {}).filter(([, one]) => typeof one === "string");
    return {
      at,
      linkLocal: typeof linkLocal === "string" ? linkLocal : null,
      options: Object.fromEntries(known),
    };
  } catch {
    return null;
  }
};
