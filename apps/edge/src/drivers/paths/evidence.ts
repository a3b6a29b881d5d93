/**
 * Distinguishes loss above a limit from the loss that every line has, as early as chance allows: a cumulative sum of
 * log-likelihood ratios (Page's test, Biometrika 41, 1954). Pure but for what it remembers.
 */

/** Shares of the limit between which the test decides. */
const shares = { normal: 0.25, bad: 2 } as const;
/** Sum from which a line is called bad: one that loses a quarter of the limit reaches it once in hours. */
const alarm = 10;
/** A sum that grew further would take long to fall. */
const maxSum = 2 * alarm;
/** Without a missing packet for so long the sum falls with time as well: a line that waits is measured seldom. */
const calm = { afterMs: 20_000, perSecond: 0.5 } as const;
/**
 * One gap of a line is no quality of it. All packets of a gap are found missing with the first one after it, so that
 * of each span so many count at most.
 */
const gap = { spanMs: 20, packets: 2 } as const;

export class LossEvidence {
  #sum = 0;
  #isBad = false;
  #missedAt = 0;
  #takenAt = 0;
  #span = { from: Number.NEGATIVE_INFINITY, packets: 0 };

  /** 1 and more: bad. */
  get weight(): number {
    return this.#sum / alarm;
  }

  /** Stays until as much speaks against it as spoke for it. */
  get isBad(): boolean {
    return this.#isBad;
  }

  /**
   * @param received packets since the last call
   * @param missing of those that should have come
   * @param limit percent
   * @param now ms
   */
  take(received: number, missing: number, limit: number, now: number): void {
    const [normal, bad] = [shares.normal, shares.bad].map((share) =>
      Math.min(0.99, (share * limit) / 100),
    ) as [number, number];
    if (now - this.#span.from >= gap.spanMs) this.#span = { from: now, packets: 0 };
    const counted = Math.max(0, Math.min(missing, gap.packets - this.#span.packets));
    this.#span.packets += counted;
    const step = counted * Math.log(bad / normal) + received * Math.log((1 - bad) / (1 - normal));
    if (missing > 0) this.#missedAt = now;
    const isCalm = now - this.#missedAt > calm.afterMs;
    const faded = isCalm ? ((now - this.#takenAt) / 1_000) * calm.perSecond : 0;
    this.#takenAt = now;
    this.#sum = Math.min(maxSum, Math.max(0, this.#sum + step - faded));
    if (this.#sum >= alarm) this.#isBad = true;
    if (this.#sum === 0) this.#isBad = false;
  }
}
