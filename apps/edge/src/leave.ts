/** The machine is given back to its owner: what the edge set goes, and then all that it knew. */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { systemClock, systemRandom } from "#edge/clock.ts";
import { settle } from "#state/machine-run.ts";
import { openFolder } from "#store/disk.ts";
import { openStore } from "#store/edge-store.ts";
import { serveStatus } from "./control.ts";
import type { RunOptions } from "./run.ts";

export interface LeaveOptions extends Pick<RunOptions, "folder" | "makeMachine"> {
  /** Folders of the daemons, which a reboot would empty. */
  readonly runFolders: readonly string[];
}

/**
 * Takes away tunnels, routes, rules and daemons, gives interfaces and kernel settings back what they had
 * before the first state, and then forgets keys, enrolment and states: the device needs a new activation code.
 *
 * @returns null, or a message of what could not be taken away; nothing is forgotten then, and
 *   another call tries again
 * @throws when an edge runs on the folder
 */
export const leave = async (options: LeaveOptions): Promise<string | null> => {
  const { folder, runFolders, makeMachine } = options;
  const disk = await openFolder(folder);
  // Holds the folder: an edge that started meanwhile would set up everything again.
  const server = await serveStatus(folder, () => ({ node: null, leaving: true }));
  try {
    const store = await openStore(disk);
    const [key] = await store.tunnelKeys(systemRandom);
    if (!key) throw new Error("no tunnel key");
    const machine = await makeMachine(key, []);
    const left = await settle(machine, null, systemClock);
    await machine.stop();
    if (left !== null) return left;
    await machine.giveBack();
  } finally {
    server.close();
  }
  for (const name of await readdir(folder))
    await rm(path.join(folder, name), { recursive: true, force: true });
  for (const one of runFolders) await rm(one, { recursive: true, force: true });
  return null;
};
