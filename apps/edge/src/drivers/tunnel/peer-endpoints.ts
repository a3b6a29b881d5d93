import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "#drivers/replace-file.ts";

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
      replaceFile(this.#file, JSON.stringify(Object.fromEntries(this.#places)), 0o600);
    } catch {
      // A full disk: the peer calls after a while.
    }
  }
}
