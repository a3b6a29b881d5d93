/**
 * LAN sections as states of earlier versions have them, and as devices without `state.lanSections` get them: in two
 * lists. `underlay.lans` has the addresses of an interface, `firewall.lan` what hosts of each section may do; of a
 * section with a VLAN it has nothing. Stored states stay as they were written, so both ends read them.
 */
import { z } from "zod";
import { type LanInterface, lanInterfaces } from "#contract/device/v1/lan-interfaces.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import {
  type LanSection,
  type UnderlaySection,
  underlaySection,
} from "#contract/device/v1/underlay.ts";
import { networkOf } from "#rules/address.ts";

const section = underlaySection.shape.lans.element;

/** The addresses of an interface. */
const addressesSchema = section.pick({
  interfaceName: true,
  vlan: true,
  addresses: true,
  ipv6: true,
});
/** What hosts of a section may do. */
const accessSchema = section.pick({
  interfaceName: true,
  networks: true,
  direct: true,
  forward: true,
  central: true,
  translated: true,
});
type Access = z.output<typeof accessSchema>;

const underlaySchema = z.looseObject({
  lans: z.array(addressesSchema).max(stateLimits.lanInterfaces),
});
const firewallSchema = z.looseObject({ lan: z.array(accessSchema).max(stateLimits.lanSegments) });

type SectionContents = ReadonlyMap<string, unknown>;

/** Those without networks let in what arrives on the interface: together they are one. */
const accessOf = (some: readonly Access[]): readonly Access[] => {
  const [first] = some;
  if (first === undefined || some.every(({ networks }) => networks !== undefined)) return some;
  const isAny = (flag: "direct" | "forward" | "central" | "translated") =>
    some.some((access) => access[flag] === true);
  return [
    {
      interfaceName: first.interfaceName,
      direct: isAny("direct"),
      forward: isAny("forward"),
      ...(isAny("central") && { central: true }),
      ...(isAny("translated") && { translated: true }),
    },
  ];
};

/**
 * Addresses by the section that they are of: the one that has their network. Several have it where one of them is routed to
 * by a router in another: then the section of it is the one that has fewest other networks.
 */
const placesOf = (
  addresses: readonly string[],
  all: readonly Access[],
): ReadonlyMap<Access, string[]> => {
  const bySize = all.toSorted((a, b) => (a.networks?.length ?? 0) - (b.networks?.length ?? 0));
  const sectionOf = (address: string): Access | undefined =>
    bySize.find(({ networks }) => networks?.includes(networkOf(address))) ?? all[0];
  const placed = new Map<Access, string[]>();
  for (const address of addresses) {
    const access = sectionOf(address);
    if (access) placed.set(access, [...(placed.get(access) ?? []), address]);
  }
  return placed;
};

const sectionsOf = (lan: LanInterface, accesses: readonly Access[]): LanSection[] => {
  const { interfaceName, vlan, addresses, ipv6 } = lan;
  const here = accesses.filter((access) => vlan === 0 && access.interfaceName === interfaceName);
  const closed = {
    interfaceName,
    networks: addresses.map(networkOf),
    direct: false,
    forward: false,
  };
  const all = here.length === 0 ? [closed] : accessOf(here);
  const placed = placesOf(addresses, all);
  // One without an address was made by no version, and as none of its hosts has a gateway it lets nothing in.
  const addressed = all.filter((access) => placed.has(access));
  return addressed.map((access, at) => {
    const assigned = placed.get(access) ?? [];
    const first = assigned.find((address) => !address.includes(":")) ?? assigned[0] ?? "";
    return {
      ...access,
      vlan,
      network: networkOf(first),
      addresses: assigned,
      ...(at === 0 && ipv6 && { ipv6 }),
    };
  });
};

/**
 * Sections of a state in their present form.
 * @throws a zod error when an earlier form breaks its schema
 */
export const joinLans = (sections: SectionContents): SectionContents => {
  const [underlay, firewall] = [sections.get("underlay"), sections.get("firewall")];
  const isEarlier = typeof firewall === "object" && firewall !== null && "lan" in firewall;
  if (!isEarlier || underlay === undefined) return sections;
  const { lan: accesses, ...passing } = firewallSchema.parse(firewall);
  const { lans, ...lines } = underlaySchema.parse(underlay);
  return new Map([
    ...sections,
    ["underlay", { ...lines, lans: lans.flatMap((lan) => sectionsOf(lan, accesses)) }],
    ["firewall", passing],
  ]);
};

/** Sections of a state in the form of earlier versions. @param sections as this version writes them */
export const splitLans = (sections: SectionContents): Map<string, unknown> => {
  const { lans, ...lines } = sections.get("underlay") as UnderlaySection;
  // Of a section with a VLAN an earlier edge would open the interface itself.
  const accesses = lans
    .filter(({ vlan }) => vlan === 0)
    .map(({ vlan: _, network: _network, addresses: _addresses, ipv6: _ipv6, ...access }) => access);
  return new Map([
    ...sections,
    ["underlay", { ...lines, lans: lanInterfaces(lans) }],
    ["firewall", { ...(sections.get("firewall") as object), lan: accesses }],
  ]);
};
