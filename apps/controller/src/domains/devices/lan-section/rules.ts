import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { addressOf, endsOf, isSameAddress, networksOverlap } from "@weft/contract/rules/address.ts";
import type { OtherNetwork } from "./store.ts";

export interface Networks {
  readonly network: string;
  readonly network6: string | null;
}

/** Sections of one space must not overlap: each address is behind one site. Pure. */
export function overlapIssues(draft: Networks, others: readonly OtherNetwork[]): RuleIssue[] {
  const fields = ["network", "network6"] as const;
  return fields.flatMap((path) => {
    const clash = others.find(({ network }) => networksOverlap(draft[path] ?? "", network));
    return clash
      ? [
          {
            path,
            rule: "overlap" as const,
            params: { value: clash.network, other: clash.siteName },
          },
        ]
      : [];
  });
}

/**
 * A device that has the address of a line's router itself has no router there: the kernel refuses a next hop of its own. Pure.
 * @param routers of its lines, by the name of the line
 */
export function routerIssues(draft: Networks, routers: readonly OtherNetwork[]): RuleIssue[] {
  const fields = ["network", "network6"] as const;
  return fields.flatMap((path) => {
    const network = draft[path];
    const ownAddresses = network === null ? [] : [addressOf(network), ...endsOf(network)];
    const clash = routers.find((router) =>
      ownAddresses.some((address) => isSameAddress(address, router.network)),
    );
    return clash
      ? [
          {
            path,
            rule: "overlap" as const,
            params: { value: clash.network, other: clash.siteName },
          },
        ]
      : [];
  });
}

/** A section as the other device of a standby group has it. */
export interface SharedSection extends Networks {
  readonly ownAddress: string | null;
}

const overlap = (one: string | null, other: string | null): boolean =>
  networksOverlap(one ?? "", other ?? "");

/**
 * Two devices of a standby group share a LAN by the same gateway and an address of their own each; any other overlap
 * would be two devices with one address. Pure.
 * @param name of the other device
 */
export function pairIssues(
  draft: SharedSection,
  others: readonly SharedSection[],
  name: string,
): RuleIssue[] {
  return others.flatMap((other): RuleIssue[] => {
    const clash = (path: "network" | "network6"): RuleIssue[] => [
      { path, rule: "overlap", params: { value: other[path] ?? "", other: name } },
    ];
    if (overlap(draft.network6, other.network6) && draft.network6 !== other.network6)
      return clash("network6");
    if (!overlap(draft.network, other.network))
      return overlap(draft.network6, other.network6) ? clash("network6") : [];
    if (draft.network !== other.network) return clash("network");
    if (draft.ownAddress === null) return [{ path: "ownAddress", rule: "required", params: {} }];
    if (other.ownAddress === null) return clash("network");
    return draft.ownAddress === other.ownAddress
      ? [{ path: "ownAddress", rule: "taken", params: { value: draft.ownAddress } }]
      : [];
  });
}
