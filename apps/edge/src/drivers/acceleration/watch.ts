/** Which exits of a site have a default route of FRR. */
import type { Run } from "#drivers/exec.ts";
import type { SiteExit } from "#drivers/exits.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { PolledWatch } from "#drivers/polled-watch.ts";

/** Exits without a default in either family, by their mark. */
export type CutExits = ReadonlySet<string>;

/** Rounds of the watch over programs (250 ms) between two readings. */
const everyRounds = 2;

const familiesOf = async (run: Run, { table }: SiteExit): Promise<string> => {
  const present: number[] = [];
  for (const family of [4, 6] as const) {
    const query = [`-${family}`, "route", "show", "default", "table", `${table}`];
    // It fails where there is no such table.
    const rows = await ipJson<object>(run, query).catch(() => []);
    if (rows.length > 0) present.push(family);
  }
  return present.join(" ");
};

/** Families with a default, by the mark of each exit. */
type ExitDefaults = ReadonlyMap<string, string>;

export const createExitWatch = (run: Run): PolledWatch<SiteExit, ExitDefaults> =>
  new PolledWatch({
    everyRounds,
    none: new Map(),
    read: async (exits) => {
      const defaults = new Map<string, string>();
      for (const exit of exits) defaults.set(exit.mark4, await familiesOf(run, exit));
      return defaults;
    },
    textOf: (defaults) => JSON.stringify([...defaults]),
  });

export const cutExitsOf = (defaults: ExitDefaults): CutExits =>
  new Set([...defaults].flatMap(([mark, families]) => (families === "" ? [mark] : [])));
