/** For how long the kernel keeps the entry of a flow after its last packet. */

/** Ms for which a setting that was read holds: hosts may end thousands of flows in a second, and settings seldom change. */
const holdsMs = 5_000;

export class Timeouts {
  readonly #read: (name: string) => string;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly ms: number; readonly at: number }>();

  /**
   * @param read text of a setting nf_conntrack_*; throws where this kernel has none
   * @param now ms on a clock that no time change moves
   */
  constructor(read: (name: string) => string, now: () => number) {
    this.#read = read;
    this.#now = now;
  }

  /** Ms. 0: not known. */
  of(name: string): number {
    const now = this.#now();
    const known = this.#known.get(name);
    if (known && now - known.at < holdsMs) return known.ms;
    const ms = this.#readMs(name);
    this.#known.set(name, { ms, at: now });
    return ms;
  }

  #readMs(name: string): number {
    try {
      return Number(this.#read(name)) * 1_000 || 0;
    } catch {
      return 0;
    }
  }
}
