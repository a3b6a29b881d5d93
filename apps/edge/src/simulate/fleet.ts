/** Many simulated devices in one process, each with the real link, state machine and store. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { sleep, systemClock, systemRandom } from "#edge/clock.ts";
import { awaitEnrolment, findEnrolment, keepClaim } from "#edge/enrolment.ts";
import { type Log, logFor, reasonOf } from "#edge/log.ts";
import { networkDial } from "#link/dial.ts";
import { Edge } from "#state/edge.ts";
import { openFolder } from "#store/disk.ts";
import { openStore, sweepStore } from "#store/edge-store.ts";
import { type Member, member } from "./character.ts";
import { runIncidents } from "./incidents.ts";
import { simulatedMachine } from "./machine.ts";
import { Neighbourhood } from "./neighbourhood.ts";

const fleetFile = z.array(member);

export interface FleetOptions {
  readonly file: string;
  readonly folder: string;
  readonly version: string;
  readonly healsDrift: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Devices started per second: a fleet that starts at once is a storm of our own making. */
const startsPerSecond = 100;

/** Ms after the last start until every device carries its links: hubs with a hundred of them as well, and on a busy machine. */
const settleMs = 60_000;

/** Data of one device; its serial number as a file name. */
const folderOf = (folder: string, { serialNumber }: Member): string =>
  path.join(folder, `box-${encodeURIComponent(serialNumber)}`);

const runMember = async (
  member: Member,
  options: FleetOptions,
  neighbourhood: Neighbourhood,
): Promise<void> => {
  const { version, signal } = options;
  const log = logFor(options.log, { device: member.serialNumber });
  const disk = await openFolder(folderOf(options.folder, member), false);
  await sweepStore(disk);
  const store = await openStore(disk);
  const { serialNumber, character } = member;
  const world = { clock: systemClock, random: systemRandom, dial: networkDial, log };
  let enrolment = await findEnrolment(store);
  if (!enrolment) {
    await keepClaim(store, member.claim, serialNumber);
    enrolment = await awaitEnrolment({ ...world, store }, () => false, signal);
  }
  const identity = await store.identity();
  if (!enrolment || !identity) return;
  if (character.leaves && (await store.confirmed.read()).kind === "value") return;
  const tunnelKeys = await store.tunnelKeys(systemRandom);
  // A signal that ended before this point would go unnoticed: nothing is awaited from here on.
  if (signal.aborted) return;
  const machine = simulatedMachine(systemClock, serialNumber, { character, neighbourhood });
  const edge = new Edge({
    ...world,
    store,
    identity,
    enrolment,
    version,
    healsDrift: options.healsDrift && !character.drifts,
    // Many devices share one processor; half a second is quick enough.
    turnsMs: 500,
    machine,
    tunnelKeys,
  });
  const stop = () => void edge.stop();
  signal.addEventListener("abort", stop);
  void runIncidents(character, { clock: systemClock, store, machine, edge }, signal);
  await edge.run();
  neighbourhood.leave(serialNumber);
};

/**
 * Runs all devices of a fleet file, a JSON list of `{claim, serialNumber, character?}`, until the
 * signal ends.
 * A device that fails is logged and leaves the others alone. Throws when the file cannot be read.
 */
export const runFleet = async (options: FleetOptions): Promise<void> => {
  const { log, signal } = options;
  const members = fleetFile.parse(JSON.parse(await readFile(options.file, "utf8")));
  log.info({ devices: members.length }, "simulated fleet starts");
  const startsMs = (members.length / startsPerSecond) * 1_000;
  const neighbourhood = new Neighbourhood(systemClock.monotonic() + startsMs + settleMs);
  const running: Promise<void>[] = [];
  for (const member of members) {
    running.push(
      runMember(member, options, neighbourhood).catch((error) =>
        log.error({ serialNumber: member.serialNumber, why: reasonOf(error) }, "device failed"),
      ),
    );
    await sleep(systemClock, 1_000 / startsPerSecond, signal);
    if (signal.aborted) break;
  }
  await Promise.all(running);
};
