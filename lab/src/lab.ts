/** A lab that is up, and the file that lets any other process find it again. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LabError } from "./lab-error.ts";
import { bootId, isRunning, type ProcessIdentity } from "./process-identity.ts";
import { type LabSpec, nodeOf } from "./spec.ts";

/**
 * Everything of a lab lies in `dir`:
 * - `lab.json`: this value
 * - `outside/PID`: processes that are in a machine's network only, so that `down` finds them
 * - `NODE/`: the machine's disk, at the same path inside; it outlives a reboot of the machine
 */
export interface Lab {
  readonly dir: string;
  readonly boot: string;
  readonly spec: LabSpec;
  /** False: its machines lose their power when the process ends that built it, however it ends. */
  readonly outlives: boolean;
  /** The first process of each machine; ending it ends the machine. */
  readonly machines: Record<string, ProcessIdentity>;
}

export const labFiles = (dir: string) => ({
  state: join(dir, "lab.json"),
  outside: join(dir, "outside"),
  fstab: join(dir, "fstab"),
});

/** The machine's disk: keys, states and logs of what runs there. Absolute. */
export const diskOf = (lab: Lab, node: string): string => join(lab.dir, node);

/** Default place of a program's log: on the machine's disk. */
export const logOf = (lab: Lab, node: string, name: string): string =>
  join(diskOf(lab, node), `${name}.log`);

/** Writes `lab.json` by rename: a reader sees the old or the new one, never half of one. */
export function saveLab(lab: Lab): void {
  const file = labFiles(lab.dir).state;
  const { dir: _, ...state } = lab;
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** @returns undefined when `dir` holds no lab. */
export function findLab(dir: string): Lab | undefined {
  const file = labFiles(dir).state;
  try {
    return { ...(JSON.parse(readFileSync(file, "utf8")) as Omit<Lab, "dir">), dir };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new LabError(`${file} cannot be read: ${error}`);
  }
}

/** @throws LabError when `dir` holds no lab. */
export function openLab(dir: string): Lab {
  const lab = findLab(dir);
  if (!lab) throw new LabError(`there is no lab in ${dir}`);
  return lab;
}

export function isMachineUp(lab: Lab, node: string): boolean {
  const machine = lab.machines[node];
  return machine !== undefined && lab.boot === bootId() && isRunning(machine);
}

/** @throws LabError when the lab has no such node, or when its machine is down. */
export function machineOf(lab: Lab, node: string): ProcessIdentity {
  nodeOf(lab.spec, node);
  const machine = lab.machines[node];
  if (machine && isMachineUp(lab, node)) return machine;
  throw new LabError(`${node}: the machine does not run (lab in ${lab.dir})`);
}

/** Notes a process that a machine's end would not end. */
export function noteOutside(lab: Lab, { pid, start }: ProcessIdentity): void {
  const folder = labFiles(lab.dir).outside;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, String(pid)), String(start));
}
