/** The life of a real device: forward by what the disk says, be enrolled, keep in touch. */
import type { Server } from "node:net";
import type { Machine } from "#drivers/driver.ts";
import { sleep, systemClock, systemRandom } from "#edge/clock.ts";
import { networkDial } from "#link/dial.ts";
import { Edge } from "#state/edge.ts";
import { Reconciler } from "#state/reconciler.ts";
import { openFolder } from "#store/disk.ts";
import { type EdgeStore, type Enrolment, openStore, sweepStore } from "#store/edge-store.ts";
import { serveStatus } from "./control.ts";
import { awaitEnrolment, findEnrolment } from "./enrolment.ts";
import { giveBack, type LeaveOptions } from "./leave.ts";
import { type Log, reasonOf } from "./log.ts";

export interface RunOptions extends LeaveOptions {
  readonly healsDrift: boolean;
  readonly version: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const world = { clock: systemClock, random: systemRandom, dial: networkDial };

const machineFor = async (
  { makeMachine }: RunOptions,
  store: EdgeStore,
  addresses: readonly string[],
): Promise<Machine> => {
  const [key] = await store.tunnelKeys(systemRandom);
  if (!key) throw new Error("no tunnel key");
  return makeMachine(
    key,
    addresses.map((address) => new URL(address).host),
  );
};

/** A device that is not enrolled (any more) still forwards by its last state. */
const forwardAlone = async (options: RunOptions, store: EdgeStore): Promise<Machine> => {
  const { log, signal } = options;
  const machine = await machineFor(options, store, []);
  const uplink = {
    send: () => false,
    accepts: () => false,
    isReceiving: () => false,
    confirm: async () => ({ kind: "none", why: "not enrolled", refusal: null }) as const,
    changed: () => {},
    restored: () => {},
  };
  await machine.start();
  await new Reconciler({ ...world, log, store, machine, node: 0, uplink, signal }).boot();
  return machine;
};

/** Runs as one enrolment until the signal ends, a new claim made another (gives that one), or it is removed. */
const runAs = async (
  options: RunOptions,
  store: EdgeStore,
  enrolment: Enrolment,
  show: (edge: Edge) => void,
): Promise<Enrolment | "removed" | null> => {
  const { log, signal, version, healsDrift } = options;
  const identity = await store.identity();
  if (!identity) return null;
  const machine = await machineFor(options, store, enrolment.addresses);
  const tunnelKeys = await store.tunnelKeys(systemRandom);
  const deps = { ...world, log, store, machine, identity, enrolment, tunnelKeys };
  const edge = new Edge({ ...deps, version, healsDrift });
  show(edge);
  const ended = new AbortController();
  const claimed = awaitEnrolment(
    { ...world, log, store },
    (enrolment) => edge.runsAs(enrolment),
    AbortSignal.any([signal, ended.signal]),
  );
  const stopped = claimed.then(() => edge.stop());
  await edge.run();
  ended.abort();
  await stopped;
  return edge.isRemoved ? "removed" : claimed;
};

/** Ms between attempts to restore a machine if something on it prevents that. */
const giveBackPauseMs = 60_000;

/** The device was removed: its machine is restored, and it waits for a new activation code. */
const awaitReturn = async (options: RunOptions): Promise<Enrolment | null> => {
  const { log, signal, folder } = options;
  while (!signal.aborted) {
    const left = await giveBack(options).catch((error: unknown) => reasonOf(error));
    if (left === null) break;
    log.error({ left }, "the machine could not be restored completely yet");
    await sleep(systemClock, giveBackPauseMs, signal);
  }
  if (signal.aborted) return null;
  log.warn(
    { folder },
    "removed by the controller; the machine is restored; waiting for an activation code",
  );
  const store = await openStore(await openFolder(folder));
  return awaitEnrolment({ ...world, log, store }, () => false, signal);
};

const live = async (options: RunOptions, show: (edge: Edge) => void): Promise<void> => {
  const { log, signal, folder } = options;
  const disk = await openFolder(folder);
  await sweepStore(disk);
  const store = await openStore(disk);
  let enrolment = await findEnrolment(store);
  if (!enrolment) {
    const alone = await forwardAlone(options, store);
    log.warn({ folder }, "not enrolled; waiting for an activation code");
    enrolment = await awaitEnrolment({ ...world, log, store }, () => false, signal);
    await alone.stop();
  }
  while (enrolment && !signal.aborted) {
    // The folder is another one after each return.
    const present = await openStore(await openFolder(folder));
    const end = await runAs(options, present, enrolment, show);
    enrolment = end === "removed" ? await awaitReturn(options) : end;
  }
};

/** Longest wait for the parts to end; tunnels and the disk are safe whenever it is aborted. */
const endLimitMs = 8_000;

/**
 * Runs the edge until the signal ends. Throws when another one runs on the folder, or when the
 * folder cannot be used.
 */
export const runEdge = async (options: RunOptions): Promise<void> => {
  let edge: Edge | null = null;
  await openFolder(options.folder);
  const server: Server = await serveStatus(options.folder, () => edge?.status ?? { node: null });
  try {
    const ended = live(options, (started) => {
      edge = started;
    });
    const stop = new Promise<void>((resolve) =>
      options.signal.addEventListener("abort", () => resolve()),
    ).then(() => sleep(systemClock, endLimitMs, new AbortController().signal));
    await Promise.race([ended, stop]);
  } finally {
    server.close();
  }
};
