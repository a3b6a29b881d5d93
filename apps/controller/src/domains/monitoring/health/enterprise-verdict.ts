/** The health of an enterprise. Pure: from the states of its sites. */
import {
  type HealthState,
  type HealthTone,
  healthRank,
  healthStates,
  healthTones,
  type ToneCounts,
} from "@weft/contract/domains/devices/health.ts";
import type {
  EnterpriseHealth,
  EnterpriseReason,
} from "@weft/contract/domains/monitoring/enterprise-overview.ts";

/** Sites of one state. */
export interface StateGroup {
  /** null: the controller has not looked at them yet. */
  readonly state: HealthState | null;
  /** Of the enterprise itself, not of one below it. */
  readonly isOwn: boolean;
  readonly count: number;
  /** Since when the first of them has been so, and which it is. */
  readonly since: Date | null;
  readonly siteId: number;
  readonly siteName: string;
}

export interface EnterpriseFacts {
  readonly enabled: boolean;
  readonly endAt: Date | null;
  readonly isExpired: boolean;
  readonly groups: readonly StateGroup[];
}

const toneOf = ({ state }: StateGroup): HealthTone =>
  state === null ? "unknown" : healthStates[state];

const total = (groups: readonly StateGroup[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

/** Sites by tone. */
export const tonesOf = (groups: readonly StateGroup[]): ToneCounts =>
  Object.fromEntries(
    healthTones.map((tone) => [tone, total(groups.filter((group) => toneOf(group) === tone))]),
  ) as ToneCounts;

const rankOf = ({ state }: StateGroup): number =>
  state === null ? Number.POSITIVE_INFINITY : healthRank(state);

/** The worst state comes first; of one state the sites that have been in it for the longest time. */
const byRank = (a: StateGroup, b: StateGroup): number =>
  rankOf(a) - rankOf(b) ||
  (a.since?.getTime() ?? Number.POSITIVE_INFINITY) -
    (b.since?.getTime() ?? Number.POSITIVE_INFINITY);

/** Health because of the sites of one tone. */
function because(
  reason: EnterpriseReason,
  tone: HealthTone,
  groups: readonly StateGroup[],
): EnterpriseHealth | null {
  const [worst, ...others] = groups.filter((group) => toneOf(group) === tone).toSorted(byRank);
  if (!worst) return null;
  const { state, since, siteId, siteName } = worst;
  return {
    tone,
    reason,
    state,
    count: total([worst, ...others]),
    of: total(groups),
    since,
    site: { id: siteId, name: siteName },
  };
}

/**
 * What a person decided goes before what is measured, as for nodes. A site that is not in service yet
 * does not make an enterprise worse: it is counted beside those that are well.
 */
export function enterpriseHealthOf(facts: EnterpriseFacts): EnterpriseHealth {
  const { groups, enabled, isExpired, endAt } = facts;
  const of = total(groups);
  const plain = (
    reason: EnterpriseReason,
    tone: HealthTone,
    since: Date | null = null,
  ): EnterpriseHealth => ({ tone, reason, state: null, count: of, of, since, site: null });
  if (!enabled) return plain("disabled", "off");
  const bad = because("bad", "bad", groups);
  if (bad) return bad;
  if (isExpired) return plain("expired", "warn", endAt);
  const warn = because("warn", "warn", groups);
  if (warn) return warn;
  if (of === 0) return plain("empty", "unknown");
  const well = tonesOf(groups).ok;
  if (well > 0) return { ...plain("well", "ok"), count: well };
  return (
    because("idle", "run", groups) ??
    because("idle", "unknown", groups) ??
    because("idle", "off", groups) ??
    plain("idle", "unknown")
  );
}
