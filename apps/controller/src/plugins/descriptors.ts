import { readFile } from "node:fs/promises";
import type { ConnectionBounds } from "./connections.ts";

/** Descriptor limit of a process if the system does not report it. */
export const fewDescriptors = 1_024;

/**
 * Kept for everything that is no connection of a stranger: the stores, files, pipes of children, servers
 * of messages. With fewer the process could not even read how its own database is.
 */
const reserved = { min: 192, share: 1 / 8, max: 1_024 } as const;
/** More is not taken however many descriptors there are: each connection takes memory as well. */
const maxSockets = { console: 10_000, edge: 65_536 } as const;

/** How many descriptors this process may have: the soft limit, which Node raises to the hard one at its start. */
export async function descriptorLimit(): Promise<number> {
  const text = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(text)?.[1];
  if (soft === undefined) return fewDescriptors;
  return soft === "unlimited" ? maxSockets.console + maxSockets.edge + reserved.max : Number(soft);
}

export type ListenerBounds = Omit<ConnectionBounds, "silentMs">;

const clamp = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, Math.floor(value)));

/**
 * How many connections each listener takes, so that both together leave the reserve.
 * @param limit descriptors of the process
 * @param listens what listens in it
 */
export function boundsOf(
  limit: number,
  listens: { readonly api: boolean; readonly gateway: boolean },
): { readonly console: ListenerBounds; readonly edge: ListenerBounds } {
  const kept = clamp(limit * reserved.share, reserved.min, reserved.max);
  const left = Math.max(limit - kept, 2 * 16);
  // A process that has no devices answers health checks still, and the other way round.
  const share = listens.api && listens.gateway ? 1 / 3 : listens.api ? 3 / 4 : 1 / 8;
  const [console, edge] = [left * share, left * (1 - share)];
  return {
    console: {
      inAll: clamp(console, 16, maxSockets.console),
      silent: clamp(console / 2, 8, 1_024),
      ofSource: clamp(console / 4, 8, 1_024),
    },
    edge: {
      inAll: clamp(edge, 16, maxSockets.edge),
      silent: clamp(edge / 2, 8, 1_024),
      ofSource: clamp(edge / 8, 8, 32),
    },
  };
}
