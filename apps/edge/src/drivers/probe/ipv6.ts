/** Links whose IPv6 is dead while their IPv4 answers. Pure but for what it remembers. */

/** What a link's two probes say now; null: nothing yet. */
export interface FamilyAnswers {
  readonly v4: boolean | null;
  readonly v6: boolean | null;
}

/** Of a link that just came up one family answers a little before the other. Ms. */
const patienceMs = 2_000;

/** Distinguishes IPv6 that stays silent from IPv6 that is about to answer. */
export class Ipv6Monitor {
  /** Since when each link answers in IPv4 alone. */
  readonly #since = new Map<number, number>();
  #dead: ReadonlySet<number> = new Set();

  /** Ids of links that answer in IPv4, and for a while not in IPv6. */
  get dead(): ReadonlySet<number> {
    return this.#dead;
  }

  /**
   * @param answers of links that are probed in both families, by id
   * @param now ms on a clock that no time change moves
   * @returns whether `dead` became another
   */
  take(answers: ReadonlyMap<number, FamilyAnswers>, now: number): boolean {
    for (const id of this.#since.keys()) if (!answers.has(id)) this.#since.delete(id);
    for (const [id, { v4, v6 }] of answers) {
      if (v4 !== true || v6 !== false) this.#since.delete(id);
      else if (!this.#since.has(id)) this.#since.set(id, now);
    }
    const before = this.#dead;
    this.#dead = new Set(
      [...this.#since].flatMap(([id, since]) => (now - since >= patienceMs ? id : [])),
    );
    return before.size !== this.#dead.size || [...before].some((id) => !this.#dead.has(id));
  }
}
