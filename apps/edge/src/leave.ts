/** Restores the machine: everything that the edge set up is removed, and then everything that it stored. */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Machine } from "#drivers/driver.ts";
import { systemClock, systemRandom } from "#edge/clock.ts";
import { settle } from "#state/machine-run.ts";
import { openFolder } from "#store/disk.ts";
import { openStore } from "#store/edge-store.ts";
import type { TunnelKeyPair } from "#store/keys.ts";
import { serveStatus, socketName } from "./control.ts";

export interface LeaveOptions {
  readonly folder: string;
  /** Folders of the daemons, which a reboot would empty. */
  readonly runFolders: readonly string[];
  /**
   * The machine under this program.
   *
   * @param key the pair that its tunnels use
   * @param controllers host:port of those that must stay in reach whatever a state says
   */
  makeMachine(key: TunnelKeyPair, controllers: readonly string[]): Machine | Promise<Machine>;
}

/** A start sets up again what they describe, enrolled or not. */
const first: readonly string[] = ["confirmed.json", "journal.json"];
/** By these a device asks its controller, and learns once more that it was removed. */
const last: readonly string[] = ["enrolment.json", "epoch.json", "identity.json"];

/**
 * Names in an order in which a power cut leaves either a device that asks again and goes on with this, or
 * one that has nothing left. Without the socket: it holds the folder until its server closes.
 */
const forgetting = (names: readonly string[]): string[] => [
  ...first.filter((name) => names.includes(name)),
  ...names.filter((name) => name !== socketName && !first.includes(name) && !last.includes(name)),
  ...last.filter((name) => names.includes(name)),
];

/**
 * Takes away tunnels, routes, rules and daemons, gives interfaces and kernel settings back what they had
 * before the first state, and then forgets keys, enrolment and states: the device needs a new activation
 * code. The caller holds the folder: an edge that started meanwhile would set up everything again.
 *
 * @returns null, or a message of what could not be taken away; nothing is forgotten then, and
 *   another call tries again
 */
export const giveBack = async (options: LeaveOptions): Promise<string | null> => {
  const { folder, runFolders, makeMachine } = options;
  const store = await openStore(await openFolder(folder));
  const [key] = await store.tunnelKeys(systemRandom);
  if (!key) throw new Error("no tunnel key");
  const machine = await makeMachine(key, []);
  const left = await settle(machine, null, systemClock);
  await machine.stop();
  if (left !== null) return left;
  await machine.giveBack();
  for (const name of forgetting(await readdir(folder)))
    await rm(path.join(folder, name), { recursive: true, force: true });
  for (const runFolder of runFolders) await rm(runFolder, { recursive: true, force: true });
  return null;
};

/**
 * `weft-edge leave`: restores the machine while no edge runs.
 * @returns as `giveBack`
 * @throws when an edge runs on the folder
 */
export const leave = async (options: LeaveOptions): Promise<string | null> => {
  await openFolder(options.folder);
  const server = await serveStatus(options.folder, () => ({ node: null, leaving: true }));
  try {
    return await giveBack(options);
  } finally {
    server.close();
  }
};
