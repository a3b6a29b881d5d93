/** Link state transitions with damping of flapping links. Pure except for the clock. */

/** Ms that a link which fell must answer before it is reported as up. */
const steadyMs = 1_000;
/** A link that fell this often within the span is reported as up only after the longer time. */
const flapping = { falls: 3, withinMs: 60_000, steadyMs: 15_000 } as const;

interface Reported {
  up: boolean;
  /** Since when it answers again; null: it is reported as it is. */
  answersSince: number | null;
  falls: number[];
}

/** Last reported state of each link. A failure is reported immediately, a recovery once it is stable. */
export class LinkTransitions {
  readonly #reported = new Map<number, Reported>();

  /**
   * @param verdicts whether each probed link answers now
   * @param now ms on a clock that no time change moves
   * @returns links whose state changed
   */
  take(verdicts: ReadonlyMap<number, boolean>, now: number): { id: number; up: boolean }[] {
    for (const id of this.#reported.keys()) if (!verdicts.has(id)) this.#reported.delete(id);
    return [...verdicts].flatMap(([id, answers]) =>
      this.#changes(id, answers, now) ? [{ id, up: answers }] : [],
    );
  }

  /** What is reported of a link, for metrics that must not contradict it; null: nothing yet. */
  reported(id: number): boolean | null {
    return this.#reported.get(id)?.up ?? null;
  }

  /** All that is reported again: to a controller that may have missed it. */
  all(): { id: number; up: boolean }[] {
    return [...this.#reported].map(([id, { up }]) => ({ id, up }));
  }

  #changes(id: number, answers: boolean, now: number): boolean {
    const known = this.#reported.get(id);
    if (!known) {
      this.#reported.set(id, { up: answers, answersSince: null, falls: answers ? [] : [now] });
      return true;
    }
    if (answers === known.up) {
      known.answersSince = null;
      return false;
    }
    if (!answers) {
      known.falls = [...known.falls.filter((at) => now - at < flapping.withinMs), now];
      known.up = false;
      known.answersSince = null;
      return true;
    }
    known.answersSince ??= now;
    const isFlapping =
      known.falls.filter((at) => now - at < flapping.withinMs).length >= flapping.falls;
    if (now - known.answersSince < (isFlapping ? flapping.steadyMs : steadyMs)) return false;
    known.up = true;
    known.answersSince = null;
    return true;
  }
}
