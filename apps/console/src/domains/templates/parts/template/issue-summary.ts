/** What the issue of a template comes to over all of its CPEs: numbers, and why objects do not act. Pure. */
import type { routerTemplatePreview } from "@weft/contract/domains/templates/router-template.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";

export type IssuePreview = OutputOf<typeof routerTemplatePreview>;
export type IssueGroup = IssuePreview["groups"][number];

/** Groups of several pages, those of equal effect as one, the largest first. */
export function mergeGroups(pages: readonly IssuePreview[]): IssueGroup[] {
  const merged = new Map<string, IssueGroup>();
  for (const group of pages.flatMap(({ groups }) => groups)) {
    const known = merged.get(group.key);
    merged.set(group.key, { ...group, cpes: [...(known?.cpes ?? []), ...group.cpes] });
  }
  return [...merged.values()].toSorted((a, b) => b.cpes.length - a.cpes.length);
}

interface Because {
  readonly effect: "cannot" | "fallback";
  readonly reason: string;
  readonly params: Readonly<Record<string, string>>;
  readonly objects: number;
  readonly cpes: number;
}

export interface IssueSummary {
  readonly cpes: number;
  /** CPEs on which every object acts, if only in part. */
  readonly acts: number;
  /** CPEs on which an object does not act at all, or which could not be configured. */
  readonly fails: number;
  /** CPEs without a device that has reported what it can. */
  readonly unknown: number;
  readonly reasons: readonly Because[];
}

export function summaryOf(groups: readonly IssueGroup[]): IssueSummary {
  const sum = (some: readonly IssueGroup[]): number =>
    some.reduce((all, { cpes }) => all + cpes.length, 0);
  const isBad = ({ cannot, failure }: IssueGroup): boolean => cannot > 0 || failure !== null;
  const of = new Map<string, { because: Because; objects: Set<string>; groups: Set<IssueGroup> }>();
  for (const group of groups) {
    for (const { effect, reason, params, family, objectId } of group.findings) {
      const key = JSON.stringify([effect, reason, params]);
      const because = { effect, reason, params, objects: 0, cpes: 0 };
      const one = of.get(key) ?? { because, objects: new Set(), groups: new Set() };
      of.set(key, one);
      one.objects.add(`${family} ${objectId}`);
      one.groups.add(group);
    }
  }
  const fails = sum(groups.filter(isBad));
  const unknown = sum(groups.filter((group) => !group.isKnown && !isBad(group)));
  const cpes = sum(groups);
  const reasons = [...of.values()].map(({ because, objects, groups: found }) => ({
    ...because,
    objects: objects.size,
    cpes: sum([...found]),
  }));
  return {
    cpes,
    fails,
    unknown,
    acts: cpes - fails - unknown,
    reasons: reasons.toSorted((a, b) => a.effect.localeCompare(b.effect) || b.cpes - a.cpes),
  };
}
