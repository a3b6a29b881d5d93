/** Which exits of a site are there, by the defaults that FRR has for them. */
import type { Run } from "#drivers/exec.ts";
import type { SiteExit } from "#drivers/exits.ts";
import { ipJson } from "#drivers/ip-json.ts";

/** Exits without a default in either family, by their mark. */
export type CutExits = ReadonlySet<string>;

/** Rounds of the watch over programs (250 ms) between two readings. */
const everyRounds = 2;

const familiesOf = async (run: Run, { table }: SiteExit): Promise<string> => {
  const found: number[] = [];
  for (const family of [4, 6] as const) {
    const query = [`-${family}`, "route", "show", "default", "table", `${table}`];
    // It fails where there is no such table.
    const rows = await ipJson<object>(run, query).catch(() => []);
    if (rows.length > 0) found.push(family);
  }
  return found.join(" ");
};

export class ExitWatch {
  readonly #run: Run;
  readonly #watchers = new Set<() => void>();
  #exits: readonly SiteExit[] = [];
  #rounds = 0;
  #before = "";
  cut: CutExits = new Set();

  constructor(run: Run) {
    this.#run = run;
  }

  /** What is to be watched from now on. */
  follow(exits: readonly SiteExit[]): void {
    this.#exits = exits;
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  async tend(): Promise<void> {
    this.#rounds += 1;
    if (this.#rounds % everyRounds !== 0) return;
    if (this.#exits.length === 0 && this.#before === "") return;
    const found = new Map<string, string>();
    for (const exit of this.#exits) found.set(exit.mark4, await familiesOf(this.#run, exit));
    this.cut = new Set([...found].flatMap(([mark, there]) => (there === "" ? [mark] : [])));
    const now = JSON.stringify([...found]);
    const isNews = now !== this.#before;
    this.#before = this.#exits.length === 0 ? "" : now;
    if (isNews) for (const changed of this.#watchers) changed();
  }
}
