/**
 * What a site denies in one family of addresses only: hosts that have addresses of both go on in the other. Pure.
 *
 * A device cannot know which addresses of the other family the same hosts have. A rule that fits the same in
 * the other family is taken for the second half of one, each for one; a rule without addresses is about both.
 */
import { overlaps, parsePrefix, prefixText } from "@weft/contract/rules/address.ts";
import type { PolicyFinding } from "./findings.ts";
import type { PolicyContext } from "./verdict.ts";

/** What a site denies, as its state is made of it. */
export interface SiteDenials {
  readonly rules: readonly {
    readonly id: number;
    readonly name: string;
    readonly allow: boolean;
    readonly protocol: string;
    readonly source: string | null;
    readonly target: string | null;
    readonly sourcePort: string | null;
    readonly targetPort: string | null;
  }[];
  readonly blocked: readonly {
    readonly id: number;
    readonly type: "ip" | "mac";
    readonly value: string;
  }[];
}

type Lan = PolicyContext["lans"][number];

interface Denial extends Pick<PolicyFinding, "family" | "level" | "name"> {
  readonly objectId: number;
  /** Null: it names no address. */
  readonly of: 4 | 6 | null;
  /** Equal in the two halves of one rule. */
  readonly fits: string;
}

const familyOf = (address: string): 4 | 6 => (address.includes(":") ? 6 : 4);
const otherOf = (family: 4 | 6): 4 | 6 => (family === 4 ? 6 : 4);

const rulesOf = ({ rules }: SiteDenials, lans: readonly Lan[]): Denial[] => {
  const isDual = lans.some(({ network6 }) => network6 !== null);
  return rules.flatMap(({ id, name, allow, source, target, ...match }) => {
    if (allow || !isDual) return [];
    const address = source ?? target;
    const { protocol, sourcePort, targetPort } = match;
    const ends = address === null ? [] : [source !== null, target !== null];
    return {
      family: "xaclrules",
      level: "node",
      objectId: id,
      name,
      of: address === null ? null : familyOf(address),
      fits: JSON.stringify([protocol, sourcePort, targetPort, ...ends]),
    } as const;
  });
};

/**
 * Entries that block hosts of the site's own LANs. Whether hosts elsewhere have addresses of both
 * families is not known here, and lists of thousands are about them.
 */
const entriesOf = ({ blocked }: SiteDenials, lans: readonly Lan[]): Denial[] => {
  const dual = lans.flatMap(({ network, network6 }) => {
    if (network6 === null) return [];
    return [network, network6].flatMap((text) => parsePrefix(text) ?? []);
  });
  return blocked.flatMap(({ id, type, value }) => {
    const of = familyOf(value);
    const prefix = parsePrefix(prefixText(value));
    if (type !== "ip" || !prefix || !dual.some((entry) => overlaps(entry, prefix))) return [];
    const about = { family: "blacklist", level: "enterprise", objectId: id, name: value } as const;
    return { ...about, of, fits: "blocked" };
  });
};

/** Those that no other one of them is the second half of. */
function unpaired(denials: readonly Denial[]): Denial[] {
  const alike = Map.groupBy(denials, ({ fits }) => fits);
  return [...alike.values()].flatMap((all) =>
    ([4, 6] as const).flatMap((family) => {
      const halves = all.filter(({ of }) => of === otherOf(family)).length;
      return all.filter(({ of }) => of === family).slice(halves);
    }),
  );
}

/** Denials that leave the other family of the same hosts open. */
export function oneFamilyFindings(
  site: SiteDenials,
  { capabilities, lans }: Pick<PolicyContext, "capabilities" | "lans">,
): PolicyFinding[] {
  // What becomes of them is seen once there is a device.
  if (capabilities === null) return [];
  return [rulesOf(site, lans), entriesOf(site, lans)].flatMap(unpaired).flatMap((denial) => {
    const { of, fits: _, ...about } = denial;
    if (of === null) return [];
    const params = { only: `IPv${of}`, other: `IPv${otherOf(of)}` };
    return { ...about, effect: "fallback", reason: "oneFamily", params, denies: true } as const;
  });
}
