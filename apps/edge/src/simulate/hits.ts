/** Hits of rules on a simulated device: some traffic meets each of them now and then. */

import type { FirewallSection } from "@weft/contract/device/v1/firewall.ts";
import type { PolicySection } from "@weft/contract/device/v1/policy.ts";
import type { ObjectHits } from "#drivers/driver.ts";
import { seededFraction, seedOf } from "./seeded.ts";

/** Share of readings in which an object has hits, and how many at most. */
const share = 0.2;
const maxCount = 40;

/**
 * @param applied settings of the firewall's driver
 * @param now ms since 1970: the same moment gives the same hits
 */
export function simulatedHits(
  seed: number,
  applied: ReadonlyMap<string, string>,
  now: number,
): ObjectHits[] {
  const read = <Section>(key: string): Section | null => {
    const text = applied.get(key);
    return text === undefined ? null : (JSON.parse(text) as Section);
  };
  const rules = read<FirewallSection>("rules")?.acl ?? [];
  const policy = read<PolicySection>("policy");
  const objects = new Map(
    [
      ...rules.flatMap(({ object }) => (object ? [object] : [])),
      ...(policy?.limits ?? []).map(({ id }) => ({ family: "routerConnlimit", id })),
      ...(policy?.routes ?? []).map(({ id }) => ({ family: "routerPolicyroute", id })),
      ...(policy?.bandwidths ?? []).map(({ id }) => ({ family: "routerBwpolicy", id })),
      ...(policy?.portMaps ?? []).map(({ id }) => ({ family: "routerPortmapping", id })),
    ].map((object) => [`${object.family} ${object.id}`, object] as const),
  );
  return [...objects].flatMap(([name, object]) => {
    const chance = seededFraction(seed, seedOf(name), Math.floor(now / 15_000));
    return chance < share
      ? [{ ...object, count: 1 + Math.floor((chance / share) * maxCount) }]
      : [];
  });
}
