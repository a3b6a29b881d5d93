/** A state without the objects that its machine refused (refusals.ts), and the steps that belong to such an object. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { AccelerationSection } from "@weft/contract/device/v1/acceleration.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { type LinkState, linkBuckets } from "@weft/contract/device/v1/tunnel.ts";
import { canonicalAddress, canonicalCidr } from "./address.ts";
import { exitInterface } from "./exits.ts";
import type { ObjectName, Refusal } from "./refusals.ts";

export const lineName = (interfaceName: string): ObjectName => ({
  section: "underlay",
  kind: "line",
  object: interfaceName,
});
/** @param object the interface, or one of its addresses with length */
export const lanName = (object: string): ObjectName => ({
  section: "underlay",
  kind: "lan",
  object,
});
/** What of IPv6 a WAN link has beside its address, or a LAN by a delegated prefix: the rest of it acts without. */
export const ipv6Name = (of: "line" | "lan", interfaceName: string): ObjectName => ({
  section: "underlay",
  kind: `${of}Ipv6`,
  object: interfaceName,
});
export const cardName = (interfaceName: string): ObjectName => ({
  section: "underlay",
  kind: "card",
  object: interfaceName,
});
export const linkName = (
  spaceId: number,
  { id, interfaceName }: Pick<LinkState, "id" | "interfaceName">,
): ObjectName => ({
  section: `tunnel.${spaceId}.${id % linkBuckets}`,
  kind: "link",
  object: interfaceName,
});
/** IPv6 of a link, which acts without: its tunnel and its routing session are of IPv4 in any case. */
export const linkIpv6 = "linkIpv6";
export const poolName = (interfaceName: string): ObjectName => ({
  section: "client",
  kind: "pool",
  object: interfaceName,
});
export const hopName = (gateway: string): ObjectName => ({
  section: "policy",
  kind: "nextHop",
  object: gateway,
});

/** The way out of a space on a POP. */
export const exitName = ({ spaceId }: Pick<AccelerationSection, "spaceId">): ObjectName => ({
  section: `acceleration.${spaceId}`,
  kind: "acceleration",
  object: exitInterface(spaceId),
});

type Line = DesiredState["underlay"]["lines"][number];
type Lan = DesiredState["underlay"]["lans"][number];

const keyOf = ({ kind, object }: ObjectName): string => `${kind} ${object}`;

/** The state without what is refused at the moment; each is pushed to `found`. */
export const withoutRefused = (
  state: DesiredState,
  refused: readonly Refusal[],
  found: Finding[],
): DesiredState => {
  const out = new Map(
    refused.filter(({ isOut }) => isOut).map((refusal) => [keyOf(refusal), refusal]),
  );
  if (out.size === 0) return state;
  const report = ({ section, kind, object }: ObjectName, reason: string, why: string): void => {
    found.push({ section, kind, object, reason, params: { why } });
  };
  /** Whether it is refused: then it is reported as well. */
  const isRefused = (name: ObjectName, instead = false): boolean => {
    const refusal = out.get(keyOf(name));
    if (refusal) report(name, instead ? "refusedKept" : "refused", refusal.why);
    return refusal !== undefined;
  };
  const withoutIpv6 = <Part extends Line | Lan>(part: Part, name: ObjectName): Part => {
    const { ipv6, ...rest } = part;
    const refusal = out.get(keyOf(ipv6Name(name.kind === "line" ? "line" : "lan", name.object)));
    if (ipv6 === undefined || refusal === undefined) return part;
    report(name, "refusedIpv6", refusal.why);
    return rest as Part;
  };
  const { underlay, tunnels, clients, policy, accelerations } = state;
  const gone = new Set<number>();
  const lines = underlay.lines.flatMap((line) => {
    const name = lineName(line.interfaceName);
    const { instead: before = null, tries = 0 } = out.get(keyOf(name)) ?? {};
    // One that ran as it is to run now may be refused for the moment only; if it is again, nothing else is left to be tried.
    const isHopeless = tries > 1 && isDeepStrictEqual(before, line);
    const instead = before?.slot === line.slot && !isHopeless ? before : null;
    if (!isRefused(name, instead !== null)) return [withoutIpv6(line, name)];
    return instead === null ? [] : [withoutIpv6(instead, name)];
  });
  const lans = underlay.lans.flatMap((lan) => {
    if (isRefused(lanName(lan.interfaceName))) return [];
    const addresses = lan.addresses.filter(
      (address) => !isRefused(lanName(canonicalCidr(address))),
    );
    return addresses.length === 0
      ? []
      : [withoutIpv6({ ...lan, addresses }, lanName(lan.interfaceName))];
  });
  const cards = underlay.cards?.filter(({ interfaceName }) => !isRefused(cardName(interfaceName)));
  const carried = tunnels.map((tunnel) => ({
    ...tunnel,
    links: tunnel.links.flatMap((link) => {
      const name = linkName(tunnel.spaceId, link);
      if (isRefused(name)) {
        gone.add(link.id);
        return [];
      }
      const ipv6 = out.get(keyOf({ ...name, kind: linkIpv6 }));
      if (ipv6 === undefined) return [link];
      report(name, "refusedIpv6", ipv6.why);
      return [{ ...link, isWithoutIpv6: true as const }];
    }),
  }));
  return {
    ...state,
    underlay: { ...underlay, lines, lans, ...(cards && { cards }) },
    tunnels: carried,
    routings: state.routings.map((routing) => ({
      ...routing,
      neighbors: routing.neighbors.filter(({ linkId }) => !gone.has(linkId)),
    })),
    ...(clients && {
      clients: clients.filter(({ interfaceName }) => !isRefused(poolName(interfaceName))),
    }),
    // Its sites get no route to it, and leave as without it.
    ...(accelerations && {
      accelerations: accelerations.map((acceleration) =>
        acceleration.exit !== null && isRefused(exitName(acceleration))
          ? { ...acceleration, exit: null }
          : acceleration,
      ),
    }),
    ...(policy?.routes && {
      policy: {
        ...policy,
        routes: policy.routes.filter(
          ({ hop }) => !hop || !isRefused(hopName(canonicalAddress(hop.address))),
        ),
      },
    }),
  };
};
