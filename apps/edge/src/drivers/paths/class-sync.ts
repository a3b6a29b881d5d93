/** Has the routes of classes follow their choice, and what neighbours offer. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrafficClass } from "@weft/contract/device/v1/path-classes.ts";
import type { ClassSpace } from "#drivers/classes/render.ts";
import type { ClassRouter } from "#drivers/classes/router.ts";
import type { Rank } from "./choice.ts";
import type { ClassRanks } from "./class-choice.ts";

const fileIn = (runDir: string): string => join(runDir, "path-classes.json");

/** Links that classes left before this program started. */
const readRanks = (runDir: string): ClassRanks => {
  try {
    const text = readFileSync(fileIn(runDir), "utf8");
    const read = JSON.parse(text) as [TrafficClass, [number, Rank][]][];
    return new Map(read.map(([name, ranks]) => [name, new Map(ranks)]));
  } catch {
    return new Map();
  }
};

const rankText = (ranks: ClassRanks): string =>
  JSON.stringify([...ranks].map(([name, some]) => [name, [...some]]));

/** How links are now. */
export interface ClassNews {
  readonly classRanks: ClassRanks;
  /** Links whose other end gets what is sent: neighbours offer networks soon after they start to. */
  readonly living: ReadonlySet<number>;
}

/** What is known of one space. */
interface Look {
  /** What its tables were last asked to follow; null: nothing yet. */
  inputs: string | null;
  /** Looks since that changed. */
  looks: number;
  failures: number;
  dueAt: number;
  tookMs: number;
}

/** Ms after which what neighbours offer is read again, where traffic of a class goes by a link of its own, or should. */
const offersMs = 2_000;
/** Readings are worth no more of the processor than this share. */
const readShare = 20;
/** Ms: a reading that fails is tried again after a pause that doubles. */
const retry = { min: 250, max: 5_000 } as const;

export class ClassSync {
  readonly #runDir: string;
  readonly #router: Pick<ClassRouter, "sync" | "drop" | "isActive">;
  readonly #now: () => number;
  #spaces: readonly ClassSpace[] = [];
  #looks = new Map<ClassSpace, Look>();
  #written = "";
  #quiet: ReadonlySet<number> = new Set();

  /** @param now ms on a clock that no time change moves */
  constructor(
    runDir: string,
    router: Pick<ClassRouter, "sync" | "drop" | "isActive">,
    now: () => number,
  ) {
    this.#runDir = runDir;
    this.#router = router;
    this.#now = now;
  }

  /** Links that classes left before this program started. */
  get left(): ClassRanks {
    return readRanks(this.#runDir);
  }

  /** The spaces of a state whose traffic is in classes. */
  follow(spaces: readonly ClassSpace[]): void {
    this.#spaces = spaces;
    const at = this.#now();
    this.#looks = new Map(
      spaces.map((space) => [space, { inputs: null, looks: 0, failures: 0, dueAt: at, tookMs: 0 }]),
    );
  }

  async drop(quiet: ReadonlySet<number>): Promise<void> {
    this.#quiet = quiet;
    const links = this.#spaces.flatMap((space) => space.links.filter(({ id }) => quiet.has(id)));
    if (links.length > 0)
      await this.#router.drop(new Set(links.map(({ interfaceName }) => interfaceName)));
  }

  /**
   * @param plain ranks of other traffic
   * @param pins the routing daemon does not have them yet
   */
  async give(
    { classRanks: ranks, living }: ClassNews,
    plain: ReadonlyMap<number, Rank>,
    pins = false,
  ): Promise<void> {
    if (this.#spaces.length === 0) return;
    this.#write(ranks);
    const quiet = this.#quiet;
    const failed: unknown[] = [];
    const looks = [...this.#looks];
    for (const [space, look] of looks) {
      const inputs = inputsOf(space, { ranks, plain, quiet, pins, living });
      if (inputs === look.inputs || (look.failures > 0 && this.#now() < look.dueAt)) continue;
      const ways = { ranks, plain, quiet, pins };
      await this.#look(space, look, ways).then(
        () => {
          look.inputs = inputs;
          look.looks = 0;
        },
        (error: unknown) => failed.push(error),
      );
    }
    if (failed.length > 0) throw failed[0];
    // One at a time: the ranks of other traffic wait for it.
    const due = looks
      .filter(([space, { dueAt }]) => this.#isWatched(space) && this.#now() >= dueAt)
      .sort(([, one], [, other]) => one.dueAt - other.dueAt)[0];
    if (!pins && due) await this.#look(...due, { ranks, plain, quiet, pins });
  }

  #write(ranks: ClassRanks): void {
    const text = rankText(ranks);
    if (text !== this.#written) writeFileSync(fileIn(this.#runDir), text, { mode: 0o600 });
    this.#written = text;
  }

  /** Links over special lines are waited for: BGP may have their routes long after the choice, and without a change of its own. */
  #isWatched({ netns, special }: ClassSpace): boolean {
    return special.length > 0 || this.#router.isActive(netns);
  }

  async #look(
    space: ClassSpace,
    look: Look,
    ways: Parameters<ClassRouter["sync"]>[1],
  ): Promise<void> {
    const from = this.#now();
    try {
      await this.#router.sync(space, ways);
      look.failures = 0;
    } catch (error) {
      look.dueAt = this.#now() + Math.min(retry.max, retry.min * 2 ** look.failures);
      look.failures += 1;
      throw error;
    }
    look.tookMs = this.#now() - from;
    const watched = [...this.#looks].filter(([key]) => this.#isWatched(key));
    const tookMs = watched.reduce((sum, [, reading]) => sum + reading.tookMs, 0);
    // A single reading may take long, of a daemon that has just started: soon after a change it does not put off the next.
    const pauseMs = Math.min(tookMs * readShare, offersMs * 2 ** look.looks);
    look.looks += 1;
    look.dueAt = this.#now() + Math.max(offersMs, pauseMs);
  }
}

interface TableInputs {
  readonly ranks: ClassRanks;
  readonly plain: ReadonlyMap<number, Rank>;
  readonly quiet: ReadonlySet<number>;
  readonly living: ReadonlySet<number>;
  readonly pins: boolean;
}

/** What the tables of a space depend on, as far as this program decides it. */
const inputsOf = (
  { classes, links }: ClassSpace,
  { ranks, plain, quiet, living, pins }: TableInputs,
): string =>
  JSON.stringify([
    pins,
    links.map(({ id }) => [
      id,
      plain.get(id) ?? 0,
      ...classes.map((name) => ranks.get(name)?.get(id) ?? 0),
      quiet.has(id),
      living.has(id),
    ]),
  ]);
