import type { Grant } from "@weft/contract/access.ts";
import { grantCodes } from "@weft/contract/grants.ts";
import type { FamilyCodes } from "./permission-families.ts";

/** Families of which some code's text, or the family's own, contains what is looked for. */
export function matchingFamilies(
  families: readonly FamilyCodes[],
  wanted: string,
  names: {
    readonly family: (familyCodes: FamilyCodes) => string;
    readonly code: (code: Grant) => string;
  },
): FamilyCodes[] {
  const text = wanted.trim().toLowerCase();
  if (text === "") return [...families];
  const fits = (name: string): boolean => name.toLowerCase().includes(text);
  return families
    .map((family) =>
      fits(names.family(family))
        ? family
        : { ...family, codes: family.codes.filter((code) => fits(names.code(code)) || fits(code)) },
    )
    .filter(({ codes }) => codes.length > 0);
}

/**
 * The selected codes after a click in the part of the tree that is shown: what is not shown stays as
 * it was. In the contract's order.
 */
export function chosenAfter(
  before: readonly Grant[],
  shown: readonly FamilyCodes[],
  checked: readonly string[],
): Grant[] {
  const visible = new Set<string>(shown.flatMap(({ codes }) => codes));
  const kept = before.filter((code) => !visible.has(code));
  const now = new Set([...kept, ...checked.filter((key) => visible.has(key))]);
  return grantCodes.filter((code) => now.has(code));
}
