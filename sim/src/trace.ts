import { createHash } from "node:crypto";

const kept = 60;

/** What happened, as a hash over all of it and the last lines as text. */
export class Trace {
  readonly #hash = createHash("sha256");
  readonly #lines: string[] = [];
  readonly #now: () => number;
  readonly #print: boolean;

  /** @param print also writes every line to stdout */
  constructor(now: () => number, print: boolean) {
    this.#now = now;
    this.#print = print;
  }

  /** @param more goes into the hash only */
  add(text: string, more = ""): void {
    const line = `${(this.#now() / 1_000).toFixed(3).padStart(9)}  ${text}`;
    this.#hash.update(line).update(more);
    if (this.#print) console.log(line);
    if (this.#lines.push(line) > 2 * kept) this.#lines.splice(0, kept);
  }

  /** The last lines, the newest at the end. */
  get tail(): readonly string[] {
    return this.#lines.slice(-kept);
  }

  /** SHA-256 in hex; ends the trace. */
  digest(): string {
    return this.#hash.digest("hex");
  }
}
