/** Which segment routes act, by the routes that FRR has for them. */
import { prefixText } from "@weft/contract/rules/address.ts";
import { canonicalCidr } from "#drivers/address.ts";
import type { Run } from "#drivers/exec.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { listNetns } from "#drivers/netns.ts";
import type { CutSegments } from "./findings.ts";
import type { SegmentPlace } from "./render.ts";

/** Rounds of the watch over programs (250 ms) between two readings. */
const everyRounds = 4;
/** staticd's number for its routes. */
const staticProtocol = "196";

interface RouteRow {
  readonly dst: string;
  readonly table?: string;
}

const keyOf = (table: string, network: string): string => `${table} ${network}`;

const presentIn = async (run: Run, { netns, watched }: SegmentPlace): Promise<Set<string>> => {
  const present = new Set<string>();
  for (const family of new Set(watched.map((watchedSegment) => watchedSegment.family))) {
    const query = ["route", "show", "table", "all", "proto", staticProtocol];
    const rows = await ipJson<RouteRow>(run, ["-N", `-${family}`, ...query], netns);
    for (const { dst, table = "254" } of rows) {
      present.add(keyOf(table, canonicalCidr(prefixText(dst))));
    }
  }
  return present;
};

export class SegmentWatch {
  readonly #run: Run;
  readonly #watchers = new Set<() => void>();
  #places: readonly SegmentPlace[] = [];
  #rounds = 0;
  cut: CutSegments = new Map();

  constructor(run: Run) {
    this.#run = run;
  }

  /** What is to be watched from now on. */
  follow(part: readonly SegmentPlace[]): void {
    this.#places = part;
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  async tend(): Promise<void> {
    this.#rounds += 1;
    if (this.#rounds % everyRounds !== 0) return;
    if (this.#places.length === 0 && this.cut.size === 0) return;
    const before = JSON.stringify([...this.cut]);
    this.cut = await this.#read();
    if (JSON.stringify([...this.cut]) !== before) for (const changed of this.#watchers) changed();
  }

  async #read(): Promise<CutSegments> {
    const there = new Set<string | null>([null, ...listNetns()]);
    const cut = new Map<number, "segmentCut" | "segmentEnd">();
    for (const place of this.#places) {
      const present = there.has(place.netns) ? await presentIn(this.#run, place) : new Set();
      for (const { id, sign, isLast } of place.watched)
        if (!present.has(keyOf(sign.table, sign.network)))
          cut.set(id, isLast ? "segmentEnd" : "segmentCut");
    }
    return cut;
  }
}
