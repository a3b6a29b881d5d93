/** A lab's life: up, down, and a machine's power switch. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { configurePorts, layCables, makeBridges, removeCables } from "./cabling.ts";
import { startDhcpServer } from "./dhcp-server.ts";
import { findLab, isMachineUp, type Lab, labFiles, machineOf, saveLab } from "./lab.ts";
import { LabError } from "./lab-error.ts";
import { bootMachine, startMachine, writeFstab } from "./machine.ts";
import { allGone, bootId, isRunning, type ProcessIdentity, signal } from "./process-identity.ts";
import { assertLabPossible } from "./requirements.ts";
import { checkSpec, type LabSpec, nodeOf } from "./spec.ts";

/**
 * Builds a lab.
 *
 * @param dir where all of it lies; a new temporary folder by default. Disks of an earlier lab in
 *   it are kept: the machines come up with them.
 * @param outlives whether it stays up when the caller's process ends; one in a temporary folder
 *   does not, by default: it could not be found again
 * @throws LabError when this machine cannot have one, when one is up in `dir`, or with the command
 *   that failed; nothing is left running then
 */
export async function up(spec: LabSpec, dir?: string, outlives = dir !== undefined): Promise<Lab> {
  assertLabPossible();
  checkSpec(spec);
  const place = dir === undefined ? mkdtempSync(join(tmpdir(), "weft-lab-")) : resolve(dir);
  const old = findLab(place);
  if (old?.spec.nodes.some(({ name }) => isMachineUp(old, name))) {
    throw new LabError(`a lab is already up in ${place}`);
  }
  if (old) await down(old, { keepDisks: true });
  mkdirSync(place, { recursive: true });
  // Daemons that give up root (FRR) reach their files in here.
  chmodSync(place, 0o755);
  const lab: Lab = { dir: place, boot: bootId(), spec, outlives, machines: {} };
  try {
    writeFstab(place);
    await each(spec.nodes, ({ name }) => powerOn(lab, name));
    await wire(lab);
    return lab;
  } catch (error) {
    await down(lab, { keepDisks: dir !== undefined });
    throw error;
  }
}

async function wire(lab: Lab): Promise<void> {
  const { nodes, networks } = lab.spec;
  await each(nodes, async ({ name }) => {
    await bootMachine(lab, name);
    await makeBridges(lab, name);
  });
  await layCables(lab, nodes);
  await each(nodes, (node) => configurePorts(lab, node));
  await each(networks, async (network) => {
    if (network.dhcp) await startDhcpServer(lab, network, network.dhcp);
  });
}

/** All of them are done or have failed when this ends, so that a clean-up meets no late comer. */
async function each<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(items.map(action));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function powerOn(lab: Lab, node: string): Promise<void> {
  lab.machines[node] = await startMachine(lab, node);
  // Immediately, so that a lab whose making is broken off can be taken down as well.
  saveLab(lab);
}

/**
 * Takes the power from a machine and gives it back: its processes, interfaces and /run are gone,
 * its disk is not. Its ports are plugged in again; a cut or impaired line is whole. A machine that
 * is down comes up.
 *
 * @throws LabError for a machine that holds networks: others hang on it
 */
export async function reboot(lab: Lab, name: string): Promise<void> {
  const node = nodeOf(lab.spec, name);
  if (lab.spec.networks.some(({ at }) => at === name)) {
    throw new LabError(`${name} holds networks of others and cannot be rebooted`);
  }
  if (isMachineUp(lab, name)) await endMachines([machineOf(lab, name)]);
  await removeCables(lab, node);
  await powerOn(lab, name);
  await bootMachine(lab, name);
  await layCables(lab, [node]);
  await configurePorts(lab, node);
}

async function endMachines(machines: readonly ProcessIdentity[]): Promise<void> {
  for (const machine of machines) signal(machine, "SIGKILL");
  const left = await allGone(machines, 60_000);
  if (left.length > 0) throw new LabError(`machines do not end: ${left.map(({ pid }) => pid)}`);
}

/**
 * Ends everything in a lab, also one that another process built, and removes its files.
 *
 * @param keepDisks leaves the machines' disks for the next `up` in the same folder
 */
export async function down(lab: Lab, { keepDisks = false } = {}): Promise<void> {
  // The file may know of machines that this handle does not: one was rebooted since.
  for (const known of [lab, findLab(lab.dir)]) {
    // After a reboot of the real machine, pid and start time may both be someone else's.
    if (known?.boot !== bootId()) continue;
    await endOutside(known);
    await endMachines(Object.values(known.machines).filter(isRunning));
  }
  const { state, outside, fstab } = labFiles(lab.dir);
  const disks = keepDisks ? [] : lab.spec.nodes.map(({ name }) => join(lab.dir, name));
  // The state goes last: what could not be removed stays findable.
  for (const path of [outside, fstab, ...disks, state])
    rmSync(path, { recursive: true, force: true });
  if (readdirSync(lab.dir).length === 0) rmdirSync(lab.dir);
}

/** They may have children and stores of their own, so they are asked first. */
async function endOutside(lab: Lab): Promise<void> {
  const folder = labFiles(lab.dir).outside;
  const names = readNames(folder);
  const noted = await Promise.all(
    names.map(async (pid) => ({
      pid: Number(pid),
      start: Number(await readFile(join(folder, pid), "utf8")),
    })),
  );
  for (const one of noted) signal(one, "SIGTERM");
  for (const processIdentity of await allGone(noted, 5_000)) signal(processIdentity, "SIGKILL");
  await allGone(noted, 2_000);
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
