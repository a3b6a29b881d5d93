/** Which WAN links lead nowhere although their cable is in. Pure but for what it remembers. */

/** What answers by a link right now. */
export interface LineAnswers {
  /** `mute`: it is not known to answer, and there is no address resolution that would tell. */
  readonly gateway: "answers" | "silent" | "unknown" | "mute";
  /** Of tunnels, their other ends and controllers: anything; null: not known. */
  readonly beyond: boolean | null;
  /** Of 1, of the target with the fewest losses of those that tell; null: not known. */
  readonly loss: number | null;
  /** Something beyond its gateway answered by it at an earlier run; absent: nothing is known of one. */
  readonly ledBefore?: boolean;
}

/**
 * `lineSilent`: nothing answers. `lineCut`: the gateway alone, while another link leads further. `lineLossy`: too much is
 * lost for hosts to work with, and less by another link.
 */
type SilenceReason = "lineSilent" | "lineCut" | "lineLossy";

export interface Silence {
  readonly interfaceName: string;
  readonly reason: SilenceReason;
}

/**
 * Behind the gateway losses are common; before it a request that was repeated got no answer. Loss is one of the last ten
 * seconds already.
 */
const patienceMs = { lineSilent: 0, lineCut: 500, lineLossy: 0 } as const;
/** A link that is left keeps its reason until another has lasted: of one that loses much all are seen in turn. */
const otherReasonMs = 3_000;
/** A link that loses so much is left: a page takes a minute by it. It is used again below the second. */
const lossy = { left: 0.3, back: 0.1 } as const;
/** A new address is checked for doubles before it can be used (RFC 5227, RFC 4862), and a switch learns where it is. */
const beginMs = 5_000;
/** A link that comes back is trusted after it answered for so long. */
const trustMs = 10_000;

interface LineState {
  /** When it was seen first. */
  readonly since: number;
  hasAnswered: boolean;
  fault: SilenceReason | null;
  /** Since when it has the fault, or answers, without a break; null: neither. */
  faultSince: number | null;
  wellSince: number | null;
  /** A link by which nothing behind the gateway was ever seen may block what is asked. */
  ledFurther: boolean;
}

export class LineHealth {
  readonly #states = new Map<string, LineState>();
  /** In the order in which they fell. */
  #silent: readonly Silence[] = [];

  get silent(): readonly Silence[] {
    return this.#silent;
  }

  /** Takes over what an edge before this one found; it stays until the link answered for some time. */
  adopt(silent: readonly Silence[]): void {
    this.#silent = silent;
    // What was cut has led further before.
    for (const { interfaceName, reason } of silent)
      this.#state(interfaceName, 0).ledFurther = reason === "lineCut";
  }

  /** The link is another one from here on: what was seen of it says nothing any more. */
  forget(interfaceName: string): void {
    this.#states.delete(interfaceName);
    this.#silent = this.#silent.filter((silence) => silence.interfaceName !== interfaceName);
  }

  /**
   * @param answers of all WAN links with a gateway, by interface
   * @param now ms on a clock that no time change moves
   * @returns whether `silent` became another
   */
  take(answers: ReadonlyMap<string, LineAnswers>, now: number): boolean {
    const before = this.#silent;
    for (const name of new Set([
      ...this.#states.keys(),
      ...before.map((silence) => silence.interfaceName),
    ]))
      if (!answers.has(name)) this.forget(name);
    for (const [name, answer] of answers) this.#take(name, answer, answers, now);
    return JSON.stringify(before) !== JSON.stringify(this.#silent);
  }

  #state(name: string, now: number): LineState {
    const state = this.#states.get(name) ?? {
      since: now,
      hasAnswered: false,
      fault: null,
      faultSince: null,
      wellSince: null,
      ledFurther: false,
    };
    this.#states.set(name, state);
    return state;
  }

  #take(
    name: string,
    answer: LineAnswers,
    all: ReadonlyMap<string, LineAnswers>,
    now: number,
  ): void {
    const state = this.#state(name, now);
    if (answer.beyond === true || answer.ledBefore === true) state.ledFurther = true;
    const others = [...all].flatMap(([other, its]) => (other === name ? [] : its));
    const othersLead = others.some(({ beyond }) => beyond === true);
    const isNew = !state.hasAnswered && now - state.since < beginMs;
    const limit = this.#silent.some((silence) => silence.interfaceName === name)
      ? lossy.back
      : lossy.left;
    const fault = isNew
      ? null
      : (faultOf(answer, state.ledFurther, othersLead) ?? lossOf(answer, others, limit));
    const isWell = fault === null && (answer.gateway === "answers" || answer.beyond === true);
    state.hasAnswered ||= isWell;
    state.faultSince = fault === null ? null : fault === state.fault ? state.faultSince : now;
    state.fault = fault;
    state.wellSince = isWell ? (state.wellSince ?? now) : null;
    const fallen = this.#silent.find((silence) => silence.interfaceName === name);
    if (fault !== null && state.faultSince !== null) {
      const patience = fallen ? otherReasonMs : patienceMs[fault];
      if (now - state.faultSince >= patience) this.#fall(name, fault, fallen);
    } else if (fallen && state.wellSince !== null && now - state.wellSince >= trustMs)
      this.#silent = this.#silent.filter((silence) => silence !== fallen);
  }

  #fall(interfaceName: string, reason: SilenceReason, fallen: Silence | undefined): void {
    if (fallen?.reason === reason) return;
    this.#silent = fallen
      ? this.#silent.map((silence) => (silence === fallen ? { interfaceName, reason } : silence))
      : [...this.#silent, { interfaceName, reason }];
  }
}

const faultOf = (
  { gateway, beyond }: LineAnswers,
  ledFurther: boolean,
  othersLead: boolean,
): SilenceReason | null => {
  if (beyond === true) return null;
  if (gateway === "silent") return "lineSilent";
  if (gateway === "unknown" || beyond !== false || !ledFurther) return null;
  if (gateway === "mute") return "lineSilent";
  // Where no link leads further, what is asked may be down itself.
  return othersLead ? "lineCut" : null;
};

/** Another link that loses as much is no better. */
const lossOf = (
  { loss }: LineAnswers,
  others: readonly LineAnswers[],
  limit: number,
): SilenceReason | null => {
  if (loss === null || loss < limit) return null;
  const isBetter = others.some(
    (other) =>
      (other.gateway === "answers" || other.beyond === true) &&
      other.loss !== null &&
      other.loss < lossy.back,
  );
  return isBetter ? "lineLossy" : null;
};

/** A WAN link with a default route. */
interface Candidate {
  readonly interfaceName: string;
  readonly family: 4 | 6;
}

/**
 * Links that the others of their family are preferred to. Where all of a family are silent the last
 * one that answered goes on: another is no better.
 */
export const leftLines = (
  lines: readonly Candidate[],
  silent: readonly Silence[],
): ReadonlySet<string> => {
  const left = new Set<string>();
  for (const family of [4, 6] as const) {
    const names = lines.filter((line) => line.family === family).map((line) => line.interfaceName);
    const fallen = silent
      .map((silence) => silence.interfaceName)
      .filter((silence) => names.includes(silence));
    const isAll = fallen.length === names.length;
    for (const name of isAll ? fallen.slice(0, -1) : fallen) left.add(name);
  }
  return left;
};
