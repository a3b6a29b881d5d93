/** Which WAN links lead nowhere although their cable is in. Pure but for what it remembers. */

/** What answers by a link right now. */
export interface LineAnswers {
  /** `mute`: it is not known to answer, and there is no address resolution that would tell. */
  readonly gateway: "answers" | "silent" | "unknown" | "mute";
  /** Of tunnels, their other ends and controllers: anything; null: not known. */
  readonly beyond: boolean | null;
}

/** Nothing answers. A link whose gateway alone answers stays: what is asked behind it may be down itself. */
type SilenceReason = "lineSilent";

export interface Silence {
  readonly interfaceName: string;
  readonly reason: SilenceReason;
}

/** A new address is checked for doubles before it can be used (RFC 5227, RFC 4862), and a switch learns where it is. */
const beginMs = 5_000;
/** A link that comes back is trusted after it answered for so long. */
const trustMs = 10_000;

interface LineState {
  /** When it was seen first. */
  readonly since: number;
  hasAnswered: boolean;
  /** Since when it answers without a break; null: it does not. */
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
    for (const { interfaceName } of silent) this.#state(interfaceName, 0);
  }

  /** The link is another one from here on: what was seen of it says nothing any more. */
  forget(interfaceName: string): void {
    this.#states.delete(interfaceName);
    this.#silent = this.#silent.filter((one) => one.interfaceName !== interfaceName);
  }

  /**
   * @param answers of all WAN links with a gateway, by interface
   * @param now ms on a clock that no time change moves
   * @returns whether `silent` became another
   */
  take(answers: ReadonlyMap<string, LineAnswers>, now: number): boolean {
    const before = this.#silent;
    for (const name of new Set([...this.#states.keys(), ...before.map((one) => one.interfaceName)]))
      if (!answers.has(name)) this.forget(name);
    for (const [name, answer] of answers) this.#take(name, answer, now);
    return JSON.stringify(before) !== JSON.stringify(this.#silent);
  }

  #state(name: string, now: number): LineState {
    const state = this.#states.get(name) ?? {
      since: now,
      hasAnswered: false,
      wellSince: null,
      ledFurther: false,
    };
    this.#states.set(name, state);
    return state;
  }

  #take(name: string, answer: LineAnswers, now: number): void {
    const state = this.#state(name, now);
    if (answer.beyond === true) state.ledFurther = true;
    const isNew = !state.hasAnswered && now - state.since < beginMs;
    const fault = isNew ? null : faultOf(answer, state.ledFurther);
    const isWell = fault === null && (answer.gateway === "answers" || answer.beyond === true);
    state.hasAnswered ||= isWell;
    state.wellSince = isWell ? (state.wellSince ?? now) : null;
    const fallen = this.#silent.find((one) => one.interfaceName === name);
    if (fault !== null) {
      if (!fallen) this.#silent = [...this.#silent, { interfaceName: name, reason: fault }];
    } else if (fallen && state.wellSince !== null && now - state.wellSince >= trustMs)
      this.#silent = this.#silent.filter((one) => one !== fallen);
  }
}

const faultOf = ({ gateway, beyond }: LineAnswers, ledFurther: boolean): SilenceReason | null => {
  if (beyond === true) return null;
  if (gateway === "silent") return "lineSilent";
  return gateway === "mute" && beyond === false && ledFurther ? "lineSilent" : null;
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
    const fallen = silent.map((one) => one.interfaceName).filter((one) => names.includes(one));
    const isAll = fallen.length === names.length;
    for (const name of isAll ? fallen.slice(0, -1) : fallen) left.add(name);
  }
  return left;
};
