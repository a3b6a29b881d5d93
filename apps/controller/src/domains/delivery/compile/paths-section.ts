/** Choice of path by quality, as a node's state has it. Pure. */
import { specialLinksCapability } from "@weft/contract/device/v1/path-classes.ts";
import { defaultPaths, type PathsSection } from "@weft/contract/device/v1/paths.ts";
import { takesSection } from "@weft/contract/device/v1/sections.ts";
import {
  spacePathsOf,
  type TrafficClassDraft,
} from "@weft/contract/domains/overlay/traffic-class.ts";
import { choosesByClass } from "#domains/overlay/traffic-class/public.ts";
import type { PolicyContext } from "#domains/policies/policy-finding/public.ts";

export interface ClassedView {
  readonly capabilities?: PolicyContext["capabilities"];
  /** By space; absent: no space has classes. */
  readonly classes?: ReadonlyMap<number, TrafficClassDraft> | undefined;
}

/** Which spaces have classes; nothing: not known. */
export const classedOf = ({
  classes,
}: Pick<ClassedView, "classes">): Pick<PolicyContext, "classedSpaces"> =>
  classes ? { classedSpaces: new Set(classes.keys()) } : {};

/** As many as the schema of the section takes. */
const maxSpaces = 10_000;

/**
 * Null: the device cannot measure, or has no link to measure.
 * @param spaces in which it has links
 * @param special links over special lines, by space
 */
export function pathsSectionOf(
  { capabilities, classes = new Map() }: ClassedView,
  spaces: readonly number[],
  special: ReadonlyMap<number, readonly number[]> = new Map(),
): PathsSection | null {
  if (!takesSection("paths", capabilities) || spaces.length === 0) return null;
  const looksAtLines =
    capabilities?.some(({ name, can }) => can && name === specialLinksCapability) ?? false;
  const classed = choosesByClass(capabilities)
    ? spaces.flatMap((id) => {
        const draft = classes.get(id);
        if (!draft) return [];
        const links = looksAtLines ? (special.get(id) ?? []) : [];
        // Absent, not empty: an edge of an earlier version refuses what it does not know.
        return [{ ...spacePathsOf(id, draft), ...(links.length > 0 && { special: [...links] }) }];
      })
    : [];
  return classed.length > 0
    ? { ...defaultPaths, spaces: classed.slice(0, maxSpaces) }
    : defaultPaths;
}
