/** Which segment routes FRR has installed. */
import { prefixText } from "@weft/contract/rules/address.ts";
import { canonicalCidr } from "#drivers/address.ts";
import type { Run } from "#drivers/exec.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { listNetns } from "#drivers/netns.ts";
import { PolledWatch } from "#drivers/polled-watch.ts";
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

const readCut = async (run: Run, places: readonly SegmentPlace[]): Promise<CutSegments> => {
  const there = new Set<string | null>([null, ...listNetns()]);
  const cut = new Map<number, "segmentCut" | "segmentEnd">();
  for (const place of places) {
    const present = there.has(place.netns) ? await presentIn(run, place) : new Set();
    for (const { id, sign, isLast } of place.watched)
      if (!present.has(keyOf(sign.table, sign.network)))
        cut.set(id, isLast ? "segmentEnd" : "segmentCut");
  }
  return cut;
};

export const createSegmentWatch = (run: Run): PolledWatch<SegmentPlace, CutSegments> =>
  new PolledWatch({
    everyRounds,
    none: new Map(),
    read: (places) => readCut(run, places),
    textOf: (cut) => JSON.stringify([...cut]),
  });
