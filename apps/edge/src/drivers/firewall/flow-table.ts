/** How full the kernel's table of flows is. A flow that finds no room in it is dropped. */
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { Finding } from "@weft/contract/device/v1/findings.ts";

/** The table of the device's own namespace, as the kernel has it (nf_conntrack-sysctl in Linux). */
export interface FlowTable {
  readonly used: number;
  readonly max: number;
  /** Flows for which there was no room lately, and those that made room for others. */
  readonly refused: number;
}

/** The table is as good as full: a burst of a second fills the rest. */
const crowdedShare = 0.9;
const latelyMs = 600_000;

export interface FlowCounts {
  readonly used: number;
  readonly max: number;
  /** Since the kernel started. */
  readonly refused: number;
}

const folder = "/proc/sys/net/netfilter";
const numberIn = (file: string): number => Number(readFileSync(file, "utf8"));

/** The fields "drop" and "early_drop" of /proc/net/stat/nf_conntrack: a line a core, in hexadecimal. */
export const refusedIn = (text: string): number => {
  const [head = "", ...cores] = text.trim().split("\n");
  const names = head.trim().split(/\s+/);
  const columns = ["drop", "early_drop"].map((name) => names.indexOf(name));
  return cores
    .map((line) => line.trim().split(/\s+/))
    .flatMap((fields) => columns.map((at) => Number.parseInt(fields[at] ?? "0", 16)))
    .reduce((sum, count) => sum + count, 0);
};

/** Null: the kernel follows no flows yet. */
const readCounts = (): FlowCounts | null => {
  try {
    return {
      used: numberIn(`${folder}/nf_conntrack_count`),
      max: numberIn(`${folder}/nf_conntrack_max`),
      refused: refusedIn(readFileSync("/proc/net/stat/nf_conntrack", "utf8")),
    };
  } catch {
    return null;
  }
};

/**
 * The table while it is crowded, and for ten minutes after a flow was refused; otherwise null.
 * Cheap: three files of the kernel at each call.
 */
export const createFlowTable = (
  read: () => FlowCounts | null = readCounts,
  now: () => number = () => performance.now(),
): (() => FlowTable | null) => {
  let known: number | null = null;
  let refused = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const counts = read();
    if (!counts) return null;
    const more = counts.refused - (known ?? counts.refused);
    known = counts.refused;
    if (now() - refusedAt > latelyMs) refused = 0;
    if (more > 0) {
      refused += more;
      refusedAt = now();
    }
    const isCrowded = counts.used >= crowdedShare * counts.max;
    return isCrowded || refused > 0 ? { used: counts.used, max: counts.max, refused } : null;
  };
};

/** Only the limit: a finding that changes with each flow would be sent with each heartbeat. */
export const flowTableFindings = (table: FlowTable | null): Finding[] =>
  table === null
    ? []
    : [
        {
          section: "firewall",
          kind: "flows",
          object: "conntrack",
          reason: "flowTableFull",
          params: { max: `${table.max}` },
        },
      ];
