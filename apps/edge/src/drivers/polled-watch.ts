/** Reads something of the kernel again and again, and reports when it is another than before. */

interface Polled<Subject, Reading> {
  /** Rounds of the watch over programs (250 ms) between two readings. */
  readonly everyRounds: number;
  /** What a reading without subjects gives. */
  readonly none: Reading;
  read(subjects: readonly Subject[]): Promise<Reading>;
  /** Two readings with one text are the same. */
  textOf(reading: Reading): string;
}

export class PolledWatch<Subject, Reading> {
  readonly #polled: Polled<Subject, Reading>;
  readonly #watchers = new Set<() => void>();
  readonly #textOfNone: string;
  #subjects: readonly Subject[] = [];
  #rounds = 0;
  #last: Reading;

  constructor(polled: Polled<Subject, Reading>) {
    this.#polled = polled;
    this.#textOfNone = polled.textOf(polled.none);
    this.#last = polled.none;
  }

  /** The last reading. */
  get last(): Reading {
    return this.#last;
  }

  /** What is to be watched from now on. */
  follow(subjects: readonly Subject[]): void {
    this.#subjects = subjects;
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  async tend(): Promise<void> {
    const { everyRounds, read, textOf } = this.#polled;
    this.#rounds += 1;
    if (this.#rounds % everyRounds !== 0) return;
    const before = textOf(this.#last);
    if (this.#subjects.length === 0 && before === this.#textOfNone) return;
    this.#last = await read(this.#subjects);
    if (textOf(this.#last) !== before) for (const changed of this.#watchers) changed();
  }
}
