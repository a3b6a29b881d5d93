/**
 * Keeps roll-ups what the raw rows give. A block of raw rows and its roll-ups are several parts that no
 * transaction binds: an engine that is killed may keep some of them. Hours that blocks go into are noted
 * before; those that are noted still when the engine comes back are made again out of the raw rows.
 */
import type { Engine } from "./engine.ts";
import { keptDays, rollUps } from "./schema.ts";

const hourMs = 3_600_000;
/**
 * Hours that are noted at once; more than that, and the note starts again between two blocks. What is
 * on it is what a sudden end costs at the next start, so it holds few.
 */
const maxNoted = 2;
/** Raw rows of an hour before this many days may be gone: its roll-ups are all that is left. */
const mendedDays = keptDays.raw - 1;

/** @param from seconds since 1970, out of the note and no text of anybody */
const inHour = (at: string, from: number): string =>
  `${at} >= toDateTime(${from}, 'UTC') and ${at} < toDateTime(${from + 3_600}, 'UTC')`;

export class RollUps {
  readonly #engine: Engine;
  /** Hours on the note, in seconds since 1970; null: what is there is not known, or not sound. */
  #noted: Set<number> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Rebuilds what a crash may have left wrong. */
  repair(): Promise<void> {
    return this.#next(() => this.#sound().then(() => undefined));
  }

  /** Empties the note when all is sound: an orderly end leaves nothing to mend. */
  settle(): Promise<void> {
    return this.#next(async () => {
      if (this.#noted) this.#noted = await this.#forget(this.#noted);
    });
  }

  /**
   * Writes one block with its roll-ups; blocks take turns.
   * @param times ms since 1970 of its rows
   */
  write(times: readonly number[], insert: () => Promise<void>): Promise<void> {
    return this.#next(async () => {
      const before = await this.#sound();
      const noted = before.size > maxNoted ? await this.#forget(before) : before;
      const hours = new Set(times.map((at) => Math.floor(at / hourMs) * 3_600));
      const fresh = [...hours].filter((hour) => !noted.has(hour));
      // Unsound until the last part is there: nothing else records where a failure left it.
      this.#noted = null;
      if (fresh.length > 0) {
        const rows = fresh.map((hour) => ({ hour }));
        await this.#engine.insert("measure_open", rows);
      }
      await insert();
      this.#noted = new Set([...noted, ...fresh]);
    });
  }

  /** Removes what nodes measured, raw and rolled up; it takes its turn among the blocks. */
  forget(nodeIds: readonly number[]): Promise<void> {
    return this.#next(async () => {
      if (nodeIds.length === 0) return;
      const ids = nodeIds.map(Number).join(", ");
      for (const table of ["measure", ...rollUps.map((rollUp) => rollUp.table)])
        await this.#engine.command(`delete from ${table} where node_id in (${ids})`);
    });
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #sound(): Promise<Set<number>> {
    if (this.#noted) return this.#noted;
    const rows = await this.#engine.query(
      "select distinct hour from measure_open order by hour",
      {},
    );
    const oldest = (Date.now() - mendedDays * 24 * hourMs) / 1_000;
    const hours = (rows as readonly { readonly hour: number }[])
      .map(({ hour }) => Number(hour))
      .filter((hour) => hour >= oldest);
    // Each as a whole; one that a failure cuts short is still noted, and is rebuilt again.
    for (const from of hours) {
      for (const { table, select } of rollUps) {
        await this.#engine.command(`delete from ${table} where ${inHour("at", from)}`);
        await this.#engine.command(
          `insert into ${table} ${select(`where ${inHour("m.at", from)}`)}`,
        );
      }
    }
    if (rows.length > 0) await this.#engine.command("truncate table measure_open");
    this.#noted = new Set();
    return this.#noted;
  }

  async #forget(noted: ReadonlySet<number>): Promise<Set<number>> {
    if (noted.size > 0) await this.#engine.command("truncate table measure_open");
    return new Set();
  }
}
