/** Load of the device as Linux shows it: proc(5) and the statistics of sysfs-class-net. */
import { readFile } from "node:fs/promises";
import type { DeviceMetrics } from "./driver.ts";
import { rateBetween } from "./probe/observe.ts";

export interface CpuTicks {
  readonly busy: number;
  readonly total: number;
}

/** First line of /proc/stat: idle and iowait are rest, all others work; null: not readable. */
export const parseCpu = (stat: string): CpuTicks | null => {
  const [name, ...texts] = (stat.split("\n")[0] ?? "").trim().split(/\s+/);
  // Guest time (fields 9 and 10) is in user and nice already.
  const ticks = texts.slice(0, 8).map(Number);
  if (name !== "cpu" || ticks.length < 4 || ticks.some(Number.isNaN)) return null;
  const total = ticks.reduce((sum, count) => sum + count, 0);
  return { busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0), total };
};

/** Share of memory in use by /proc/meminfo, percent; null: not readable. */
export const parseMemory = (meminfo: string): number | null => {
  const of = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(meminfo)?.[1]);
  const [total, available] = [of("MemTotal"), of("MemAvailable")];
  if (!(total > 0) || Number.isNaN(available)) return null;
  return oneDigit(100 * (1 - available / total));
};

/** Share of time at work between two readings, percent; null when none has passed. */
export const cpuBetween = (before: CpuTicks | null, now: CpuTicks | null): number | null =>
  before && now && now.total > before.total
    ? oneDigit((100 * Math.max(0, now.busy - before.busy)) / (now.total - before.total))
    : null;

const oneDigit = (percent: number): number =>
  Math.min(100, Math.max(0, Math.round(percent * 10) / 10));

const readText = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");

interface Counters {
  readonly at: number;
  readonly rx: number;
  readonly tx: number;
}

const readCounters = async (interfaceName: string): Promise<Counters | null> => {
  const folder = `/sys/class/net/${interfaceName}/statistics`;
  const [rx, tx] = await Promise.all([
    readText(`${folder}/rx_bytes`),
    readText(`${folder}/tx_bytes`),
  ]);
  return rx === "" || tx === "" ? null : { at: performance.now(), rx: Number(rx), tx: Number(tx) };
};

/** Remembers counters from one reading to the next; the first gives no rates. */
export class DeviceMeter {
  #lines = new Map<string, Counters>();
  #cpu: CpuTicks | null = null;

  async read(interfaceNames: readonly string[]): Promise<DeviceMetrics> {
    const counters = new Map<string, Counters>();
    const lines: DeviceMetrics["lines"][number][] = [];
    for (const interfaceName of interfaceNames) {
      const now = await readCounters(interfaceName);
      if (now) counters.set(interfaceName, now);
      const rates = now
        ? rateBetween(this.#lines.get(interfaceName), now)
        : { inRate: null, outRate: null };
      lines.push({ interfaceName, ...rates });
    }
    this.#lines = counters;
    const cpu = parseCpu(await readText("/proc/stat"));
    const cpuPercent = cpuBetween(this.#cpu, cpu);
    this.#cpu = cpu;
    return { lines, cpuPercent, memoryPercent: parseMemory(await readText("/proc/meminfo")) };
  }
}
