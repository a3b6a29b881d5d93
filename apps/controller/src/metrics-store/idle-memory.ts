/**
 * Gives memory back while there is nothing else to do. V8 keeps the pages of objects that are gone for
 * later ones, and a server never gives them back: what would release them waits until hardly anything
 * is allocated, which forty devices are enough to prevent. After a start that is more than half of its
 * memory.
 */
import { performance } from "node:perf_hooks";
import v8 from "node:v8";
import vm from "node:vm";

export interface Moment {
  /** Share of the last interval that was not spent waiting, 0 to 1. */
  readonly utilization: number;
  /** Bytes of memory that the process has. */
  readonly resident: number;
  /** The same after the last collection; 0 before the first. */
  readonly floor: number;
  /** Bytes of the heap that are in use. */
  readonly used: number;
}

const idleBelow = 0.25;
/** What a process takes and returns in the ordinary course of its work. */
const margin = 48 * 2 ** 20;
/** A collection stops the process for some 3 ms a MB. */
const maxUsed = 128 * 2 ** 20;

/** Whether a collection would return something and delay no call. */
export const isWorthwhile = ({ utilization, resident, floor, used }: Moment): boolean =>
  utilization < idleBelow && resident > floor + margin && used < maxUsed;

type Collect = (how: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** Starts to look at this process every so often, without keeping it alive. */
export function returnMemoryWhenIdle(everyMs = 60_000): void {
  // Node has no other way to it. Only a collection as of last resort releases the pages as well.
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as Collect;
  let floor = 0;
  let last = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const { rss: resident, heapUsed: used } = process.memoryUsage();
    if (!isWorthwhile({ utilization, resident, floor, used })) return;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    floor = process.memoryUsage.rss();
  };
  const tryLook = (): void => {
    try {
      look();
    } catch {
      // The system tells the size by a file, and there may be no descriptor for it: the next turn looks again.
    }
  };
  setInterval(tryLook, everyMs).unref();
}
