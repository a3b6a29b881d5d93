/** What a site's device serves its LANs: names and addresses. Pure. */
import {
  type DhcpRange,
  type DnsControl,
  type DnsSection,
  dnsCapabilities,
} from "@weft/contract/device/v1/dns.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { lanPrefixCapability } from "@weft/contract/device/v1/underlay.ts";
import { dnsEntryTypes } from "@weft/contract/domains/devices/settings-enums.ts";
import { defaultParams } from "@weft/contract/domains/enterprises/param-config.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { type DhcpSpan, defaultRange } from "@weft/contract/rules/dhcp-range.ts";
import { keptReservations, sentHosts, sentNames } from "#domains/policies/policy-finding/public.ts";
import type { SiteName, ViewSite } from "./device-settings.ts";
import type { PolicyView } from "./policy-section.ts";

interface DnsView {
  readonly node: {
    readonly sections: readonly {
      readonly interfaceName: string;
      readonly network: string;
      readonly vlan: number | null;
      readonly ownAddress?: string | null;
      /** Addresses that its hosts get; absent or null: those of the policies. */
      readonly range?: DhcpSpan | null;
      readonly ipv6?: object | null;
    }[];
  };
  readonly site?: Pick<
    ViewSite,
    "names" | "deniedNames" | "deniedUrls" | "givesAddresses" | "reservations"
  >;
  readonly capabilities?: PolicyView["capabilities"];
  readonly timeZone?: PolicyView["timeZone"];
}

const compareText = (text: string, other: string): number =>
  text < other ? -1 : text > other ? 1 : 0;

const [answered, forwarded] = dnsEntryTypes;

const namesOf = (names: readonly SiteName[], type: SiteName["type"]): DnsSection["answers"] =>
  names
    .filter((name) => name.type === type)
    .map(({ domain, address }) => ({ domain: domain.toLowerCase(), address }))
    .sort((a, b) => compareText(a.domain, b.domain) || compareText(a.address, b.address))
    .slice(0, stateLimits.dnsNames);

/** Whether a name is one of these or below one: what is denied is denied whatever an entry says of it. */
const isBelow = (denied: readonly string[]): ((domain: string) => boolean) => {
  const all = new Set(denied);
  return (domain) => {
    const labels = domain.toLowerCase().split(".");
    return labels.some((_, at) => all.has(labels.slice(at).join(".")));
  };
};

/** Addresses that a LAN gives its hosts; null: none are set for it. */
type SetRange = (lan: DnsView["node"]["sections"][number]) => DhcpSpan | null;

/** A section with a tag is of a device that makes no interfaces of VLANs. */
const rangesOf = ({ sections }: DnsView["node"], setRange: SetRange): DhcpRange[] =>
  sections
    .filter(({ vlan }) => (vlan ?? 0) === 0)
    .flatMap((lan) => {
      const { interfaceName, network } = lan;
      const range = lan.range ?? setRange(lan) ?? defaultRange(network);
      return range ? [{ interfaceName, address: network, ...range }] : [];
    })
    .sort(
      (a, b) => compareText(a.interfaceName, b.interfaceName) || compareText(a.address, b.address),
    );

/** Addresses that are kept for hosts of LANs that get theirs of the device. */
const reserved = (
  { node, site }: DnsView,
  ranges: readonly DhcpRange[],
): Pick<DnsSection, "reservations"> => {
  const served = ranges.map(({ address }) => networkOf(address));
  const sections = node.sections.filter(({ network }) => served.includes(networkOf(network)));
  const kept = keptReservations(site?.reservations ?? [], sections).map(
    ({ mac, address, name }) => ({ mac, address, name }),
  );
  // Absent, not empty: an edge of an earlier version refuses what it does not know.
  return kept.length > 0 ? { reservations: kept } : {};
};

/** The time zone of the site is sent only with controls of certain days. */
const controlled = (
  controls: readonly DnsControl[],
  timeZone: string,
): Pick<DnsSection, "controls" | "timeZone"> => ({
  // Absent, not empty: an edge of an earlier version refuses what it does not know.
  ...(controls.length > 0 && { controls: [...controls] }),
  ...(controls.some(({ weekdays }) => weekdays.length > 0) && { timeZone }),
});

/**
 * Null: nothing of it is set, or the device cannot do it.
 * @param controls of its policies (dns-controls.ts)
 * @param setRange what its policies say of a LAN
 * @param isNeeded something else acts by the names that hosts ask for
 */
export function dnsSectionOf(
  view: DnsView,
  controls: readonly DnsControl[] = [],
  setRange: SetRange = () => null,
  isNeeded = false,
): DnsSection | null {
  const { node, site, capabilities, timeZone = defaultParams.timezone } = view;
  const can = (wanted: string): boolean =>
    capabilities?.some(({ name, can: able }) => able && name === wanted) ?? false;
  const isResolver = can(dnsCapabilities.names);
  const denied = isResolver ? sentNames(site?.deniedNames ?? []) : [];
  const isDenied = isBelow(denied);
  const deniedHosts = can(dnsCapabilities.hosts) ? sentHosts(site?.deniedUrls ?? []) : [];
  const names = isResolver ? (site?.names ?? []).filter(({ domain }) => !isDenied(domain)) : [];
  const ranges = can(dnsCapabilities.dhcp) && site?.givesAddresses ? rangesOf(node, setRange) : [];
  // What serves names also advertises the networks of prefixes.
  const advertises = can(lanPrefixCapability) && node.sections.some(({ ipv6 }) => ipv6 != null);
  const size =
    names.length +
    denied.length +
    ranges.length +
    controls.length +
    deniedHosts.length +
    Number(isNeeded) +
    Number(advertises);
  if (node.sections.length === 0 || size === 0) return null;
  return {
    answers: namesOf(names, answered),
    servers: namesOf(names, forwarded),
    denied,
    // Absent, not empty: an edge of an earlier version refuses what it does not know.
    ...(deniedHosts.length > 0 && { deniedHosts }),
    ranges,
    ...(can(dnsCapabilities.reservations) && reserved(view, ranges)),
    ...controlled(controls, timeZone),
  };
}
