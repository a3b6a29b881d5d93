import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Last known endpoints of peers, by interface, kept over a reboot: an end that waits to be called can
 * then call first. Only a hint: what cannot be read or written is done without.
 */
export class PeerEndpoints {
  readonly #file: string;
  readonly #places: Map<string, string>;

  constructor(dataDir: string) {
    this.#file = join(dataDir, "heard.json");
    this.#places = new Map(Object.entries(this.#read()));
  }

  #read(): Record<string, string> {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8")) as Record<string, string>;
    } catch {
      return {};
    }
  }

  at(name: string): string | undefined {
    return this.#places.get(name);
  }

  /** Takes the present endpoints; writes the file only when one has changed. */
  take(places: ReadonlyMap<string, string>): void {
    const isNews = [...places].some(([name, place]) => this.#places.get(name) !== place);
    if (!isNews) return;
    for (const [name, place] of places) this.#places.set(name, place);
    this.#write();
  }

  forget(name: string): void {
    if (this.#places.delete(name)) this.#write();
  }

  #write(): void {
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify(Object.fromEntries(this.#places)), {
        mode: 0o600,
      });
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      // A full disk: the peer calls after a while.
    }
  }
}
