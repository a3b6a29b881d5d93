#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { sleep, systemClock, systemRandom } from "#edge/clock.ts";
import { runFleet } from "#edge/simulate/fleet.ts";
import { networkDial } from "#link/dial.ts";
import { openFolder } from "#store/disk.ts";
import { openStore } from "#store/edge-store.ts";
import type { TunnelKeyPair } from "#store/keys.ts";
import {
  type Command,
  type Config,
  machineSerial,
  readConfig,
  readNetworks,
  UsageError,
  usage,
} from "./config.ts";
import { requestStatus } from "./control.ts";
import { findEnrolment, keepClaim, useClaim } from "./enrolment.ts";
import { leave } from "./leave.ts";
import { createLog, type Log, reasonOf } from "./log.ts";
import { runEdge } from "./run.ts";

/** `weft-edge`: reads what was asked for and starts it. */

/** Put in by the build; a run from source reads it from its package. */
declare const WEFT_EDGE_VERSION: string | undefined;

const fromPackage = (): string => {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
};

const version: string = typeof WEFT_EDGE_VERSION === "string" ? WEFT_EDGE_VERSION : fromPackage();

/** Exit codes: what a script that calls us can distinguish. */
const exit = { done: 0, failed: 1, usage: 2 } as const;

interface Call {
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

const readClaim = async ({ claim, claimFile }: Config): Promise<string> => {
  if (claim !== null) return claim;
  if (claimFile !== null) return readFile(claimFile, "utf8");
  throw new UsageError("an activation code is required: --claim TEXT or --claim-file FILE");
};

/** Ends when the claim is decided; a running edge is left to use it, and watched. */
const enrol = async ({ config, log, signal }: Call): Promise<number> => {
  const serialNumber = config.serial ?? machineSerial();
  const store = await openStore(await openFolder(config.data));
  await keepClaim(store, await readClaim(config), serialNumber);
  if ((await requestStatus(config.data)) === null) {
    const world = { clock: systemClock, random: systemRandom, dial: networkDial };
    const fresh = await useClaim({ ...world, log, store }, signal);
    if (fresh) print({ node: fresh.node, serialNumber });
    return fresh ? exit.done : exit.failed;
  }
  while (!signal.aborted && (await store.claim.read()).kind === "value")
    await sleep(systemClock, 1_000, signal);
  const enrolment = await findEnrolment(store);
  print({ node: enrolment?.node ?? null, serialNumber });
  return enrolment ? exit.done : exit.failed;
};

const run = async ({ config, log, signal }: Call): Promise<number> => {
  const manageFrom = readNetworks(config.manageFrom);
  // Only here: a simulated fleet has no use for the real drivers.
  const { createMachine } = await import("#drivers/machine.ts");
  const healsDrift = config.drift === "heal";
  const makeMachine = (key: TunnelKeyPair, controllers: readonly string[]) =>
    createMachine({
      log,
      dataDir: config.data,
      runDir: config.run,
      controllers,
      tunnelPrivateKey: key.privateKey,
      siteTz: config.timezone,
      manageFrom,
    });
  const { data: folder, run: runDir } = config;
  const runFolders = [runDir, `${runDir}-frr`];
  await runEdge({ folder, runFolders, healsDrift, version, log, signal, makeMachine });
  return exit.done;
};

const leaveMachine = async ({ config, log }: Call): Promise<number> => {
  const { createMachine } = await import("#drivers/machine.ts");
  const { data: folder, run: runDir } = config;
  const makeMachine = ({ privateKey }: TunnelKeyPair, controllers: readonly string[]) =>
    createMachine({
      log,
      dataDir: folder,
      runDir,
      controllers,
      tunnelPrivateKey: privateKey,
      siteTz: config.timezone,
    });
  const left = await leave({ folder, makeMachine, runFolders: [runDir, `${runDir}-frr`] });
  print({ left });
  return left === null ? exit.done : exit.failed;
};

const status = async ({ config }: Call): Promise<number> => {
  const live = await requestStatus(config.data);
  const store = await openStore(await openFolder(config.data));
  const enrolment = await findEnrolment(store);
  const confirmed = await store.confirmed.read();
  const journal = await store.journal.read();
  const head = confirmed.kind === "value" ? confirmed.value.head : null;
  print({
    version,
    enrolment: enrolment && { node: enrolment.node, addresses: enrolment.addresses },
    confirmed: head && { epoch: head.epoch, serial: head.serial },
    damaged: confirmed.kind === "damaged" || journal.kind === "damaged",
    unconfirmed: journal.kind === "value" ? journal.value.phase : null,
    live,
  });
  return exit.done;
};

const simulate = async ({ config, log, signal }: Call): Promise<number> => {
  if (config.fleet === null) throw new UsageError("a fleet is required: --fleet FILE");
  const healsDrift = config.drift === "heal";
  await runFleet({ file: config.fleet, folder: config.data, version, healsDrift, log, signal });
  return exit.done;
};

const commands: Readonly<Record<Command, (call: Call) => Promise<number>>> = {
  enrol,
  run,
  status,
  leave: leaveMachine,
  simulate,
};

const main = async (): Promise<number> => {
  const { command, config } = readConfig(process.argv.slice(2), process.env);
  const end = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, () => end.abort());
  const log = createLog(config.logLevel);
  return commands[command]({ config, log, signal: end.signal });
};

try {
  process.exit(await main());
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n${error instanceof UsageError ? `${usage()}\n` : ""}`);
  process.exit(error instanceof UsageError ? exit.usage : exit.failed);
}
