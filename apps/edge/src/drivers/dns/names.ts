/**
 * Which DNS control is about which name. Controls are tried in their order, and dnsmasq takes the most specific name
 * of its lines: so each name that a control has gets a line with the control that decides about it. Pure.
 */
import { activeTimes } from "@weft/contract/device/v1/active-times.ts";
import type { DnsControl, DnsSection } from "@weft/contract/device/v1/dns.ts";

/** Controls of today, by the clock of the site. @throws RangeError for a zone that this device does not know */
export const controlsOfDay = (
  controls: readonly DnsControl[],
  instant: number,
  zone: string | undefined,
): DnsControl[] => {
  const limited = controls.filter(({ weekdays }) => weekdays.length > 0);
  if (limited.length === 0 || zone === undefined) return [...controls];
  const days = limited.map(({ id, weekdays }) => ({ id, weekdays, start: "00:00", end: "24:00" }));
  const active = new Set(activeTimes(days, instant, zone));
  return controls.filter(({ id, weekdays }) => weekdays.length === 0 || active.has(id));
};

/** Who decides about a name: about itself, and about all below it. */
export interface Decided {
  readonly name: string;
  /** Null: no control. */
  readonly itself: DnsControl | null;
  readonly below: DnsControl | null;
}

/** The name and those above it, the longest first. */
export const withParents = (name: string): string[] => {
  const labels = name.split(".");
  return labels.map((_, at) => labels.slice(at).join("."));
};

const wildcard = "*.";

/** Names that the section itself answers, denies or has a server for: they and all below are not for controls. */
const isTaken = ({ answers, servers, denied }: DnsSection): ((name: string) => boolean) => {
  const taken = new Set([...[...answers, ...servers].map(({ domain }) => domain), ...denied]);
  return (name) => withParents(name).some((text) => taken.has(text));
};

const noRank = Number.MAX_SAFE_INTEGER;

/**
 * All names of controls with those who decide, in the order of names.
 * @param controls in the order in which they are tried
 */
export const decide = (controls: readonly DnsControl[], dns: DnsSection): Decided[] => {
  // The first control about a name and all below it, and the first about all below it only.
  const whole = new Map<string, number>();
  const inner = new Map<string, number>();
  for (const [rank, { names }] of controls.entries())
    for (const text of names ?? []) {
      const isInner = text.startsWith(wildcard);
      const [name, ranks] = isInner ? [text.slice(wildcard.length), inner] : [text, whole];
      if (!ranks.has(name)) ranks.set(name, rank);
    }
  const ofAll = controls.findIndex(({ names }) => names === null);
  const rankOf = (ranks: ReadonlyMap<string, number>, name: string) => ranks.get(name) ?? noRank;
  const isNotOurs = isTaken(dns);
  return [...new Set([...whole.keys(), ...inner.keys()])]
    .filter((name) => !isNotOurs(name))
    .sort()
    .map((name) => {
      const [, ...parents] = withParents(name);
      const above = parents.map((parent) => Math.min(rankOf(whole, parent), rankOf(inner, parent)));
      const itself = Math.min(...above, rankOf(whole, name), ofAll < 0 ? noRank : ofAll);
      const below = Math.min(itself, rankOf(inner, name));
      return { name, itself: controls[itself] ?? null, below: controls[below] ?? null };
    });
};

/** The control about all names that no other line is about; null: none. */
export const decidesElse = (controls: readonly DnsControl[]): DnsControl | null =>
  controls.find(({ names }) => names === null) ?? null;
