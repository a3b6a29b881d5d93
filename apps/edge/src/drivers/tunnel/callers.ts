/** When a peer that we call has to be called again. Pure but for what it remembers. */

/**
 * Probes and BFD bring several packets per second over a link that lives: without any for this long, the
 * one handshake that WireGuard sends in five seconds was lost, or the peer restarted. Ms. It never becomes longer: a
 * link has to be back within a second of its path, also after an hour.
 */
const silentMs = 950;
/** A peer that never answered has no session to lose: it may just be setting up its end. Ms. */
const unheardMs = 200;
/** The shorter silence counts for so many calls: a join takes a few seconds. */
const unheardCalls = 20;
/** Each call is a program: where many peers are silent they take turns. */
const maxCalls = 8;

interface Silence {
  readonly packets: number;
  since: number;
  calls: number;
}

/** How long the next silence may last, ms. */
const limitMsOf = ({ packets, calls }: Silence): number =>
  packets === 0 && calls < unheardCalls ? unheardMs : silentMs;

export class Callers {
  readonly #silences = new Map<string, Silence>();

  /**
   * @param names interfaces whose peer this end calls
   * @param received packets of each interface so far
   * @param now ms on a clock that no time change moves
   * @returns those of the names that are to be called now, the longest silent first
   */
  due(names: readonly string[], received: ReadonlyMap<string, number>, now: number): string[] {
    for (const name of this.#silences.keys())
      if (!names.includes(name)) this.#silences.delete(name);
    const silent = names.flatMap((name) => {
      const packets = received.get(name);
      const known = this.#silences.get(name);
      if (packets === undefined || known?.packets !== packets) {
        if (packets === undefined) this.#silences.delete(name);
        else this.#silences.set(name, { packets, since: now, calls: 0 });
        return [];
      }
      return now - known.since < limitMsOf(known) ? [] : [{ name, silence: known }];
    });
    const due = silent.sort((a, b) => a.silence.since - b.silence.since);
    return due.slice(0, maxCalls).map(({ name, silence }) => {
      silence.since = now;
      silence.calls += 1;
      return name;
    });
  }
}
