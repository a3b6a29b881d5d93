/** How often each link is measured. Pure. */

/** Ms between two packets. */
export const periods = {
  /** Its quality is uncertain, or that of one that may have to take its traffic. */
  doubted: 5,
  /** It carries traffic whose limit is low: the first missing packet is to be missed soon. */
  strict: 10,
  /** It carries traffic that notices, and there is another link. */
  busy: 25,
  /** It would carry traffic. */
  used: 100,
  /** It waits, or there is no other. */
  spare: 250,
} as const;

/** Packets per second that a program sends at most beside those of suspect links, and suspect links at the same time. */
export const budget = { perSecond: 4_000, doubted: 16 } as const;

export interface Paced {
  readonly id: number;
  /** It carries traffic of a group of several. */
  readonly isUsed: boolean;
  /** It sends more than a few packets per second. */
  readonly isBusy: boolean;
  /** Real-time traffic goes by it. */
  readonly isStrict: boolean;
  readonly isDoubted: boolean;
  /** The other end waits for a report: ms, or null. */
  readonly wantedMs: number | null;
}

/** Ms between two packets of each link; with thousands of links each gets its share. */
export const paceOf = (links: readonly Paced[]): Map<number, number> => {
  const doubted = new Set(
    links
      .filter((link) => link.isDoubted)
      .slice(0, budget.doubted)
      .map(({ id }) => id),
  );
  const ownPeriod = ({ isUsed, isBusy, isStrict, wantedMs }: Paced): number => {
    const busy = isStrict ? periods.strict : periods.busy;
    const period = isUsed ? (isBusy ? busy : periods.used) : periods.spare;
    return Math.min(period, wantedMs ?? period);
  };
  const rest = links.filter(({ id }) => !doubted.has(id));
  const perSecond = rest.reduce((sum, paced) => sum + 1_000 / ownPeriod(paced), 0);
  const stretch = Math.max(1, perSecond / budget.perSecond);
  return new Map([
    ...[...doubted].map((id) => [id, periods.doubted] as const),
    ...rest.map((paced) => [paced.id, Math.round(ownPeriod(paced) * stretch)] as const),
  ]);
};

/** A link that looks bad is looked at closely for a while, and then not for a while longer each time. Ms. */
const closely = { spanMs: 5_000, pauseMs: 10_000, maxPauseMs: 120_000 } as const;

/** Which links are suspect. Pure but for what it remembers. */
export class Doubts {
  readonly #known = new Map<number, { until: number; notBefore: number; pauseMs: number }>();

  keep(ids: ReadonlySet<number>): void {
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
  }

  /** Something of the link was missing, or came late. */
  raise(id: number, now: number): void {
    const known = this.#known.get(id);
    if (known && now < known.notBefore) return;
    const isFresh = !known || now - known.notBefore > closely.maxPauseMs;
    const pauseMs = isFresh ? closely.pauseMs : Math.min(known.pauseMs * 2, closely.maxPauseMs);
    const until = now + closely.spanMs;
    this.#known.set(id, { until, notBefore: until + pauseMs, pauseMs });
  }

  /** Something depends on it: whatever was found before. */
  insist(id: number, now: number): void {
    if (this.has(id, now)) return;
    const until = now + closely.spanMs;
    const { pauseMs } = closely;
    this.#known.set(id, { until, notBefore: until + pauseMs, pauseMs });
  }

  has(id: number, now: number): boolean {
    const known = this.#known.get(id);
    return known !== undefined && now < known.until;
  }
}
