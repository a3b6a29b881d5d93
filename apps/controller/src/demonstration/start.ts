import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { login } from "@weft/contract/domains/access/session.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { type Caller, callerOf } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import type { Logger } from "pino";
import { type Guard, guardChild } from "#db/embedded/guard-child.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { FlowRow } from "#metrics-store/flow-schema.ts";
import type { Measures } from "#metrics-store/open.ts";
import { type PoorDevice, writePastDay } from "./day.ts";
import { cpes, incident, type LaterChange, laterChanges, minutesOf } from "./fleet.ts";
import { pastFlows } from "./flows.ts";
import { fleetFile } from "./folder.ts";
import { writeIncident } from "./incident.ts";
import { writePastTransitions } from "./past-transitions-store.ts";
import { writePastRollouts } from "./rollouts.ts";
import { seedDemonstration } from "./seed.ts";
import { beganOf, dateTroubles, type Passes } from "./trouble-times.ts";

const pollMs = 1_000;
/** A site that is not confirmed by then stays without its changes. */
const patienceMs = 120_000;

const sampleIds = { groupid: 1, cpeId: 1, popId: 1 };

async function isConfirmed(call: Caller, id: number): Promise<boolean> {
  const { data } = await call(nodeState, { id });
  return data.confirmed !== null && data.confirmed.serial === data.desired?.serial;
}

async function change(call: Caller, nCpeID: number, laterChange: LaterChange): Promise<void> {
  if ("route" in laterChange) {
    const own = { nCpeID, destination: laterChange.route, nextHop: laterChange.via };
    await call(staticRoute.ops.add, { ...samples.staticroute.valid(sampleIds), ...own });
    return;
  }
  await call(lanSection.ops.add, {
    ...samples.lansection.valid(sampleIds),
    nCpeID,
    interfaceName: laterChange.lan,
    network: laterChange.network,
    network6: null,
  });
}

/**
 * Makes the later changes one after the other, each once the one before runs at its site.
 * @param sites ids by name.
 */
async function makeLaterChanges(
  call: Caller,
  sites: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<void> {
  for (const laterChange of laterChanges) {
    const id = sites.get(laterChange.site);
    if (id === undefined) throw new Error(`the demonstration names an unknown ${laterChange.site}`);
    const end = Date.now() + patienceMs;
    while (!signal.aborted && Date.now() < end && !(await isConfirmed(call, id)))
      await sleep(pollMs, undefined, { signal });
    if (signal.aborted) return;
    await change(call, id, laterChange);
  }
}

export interface DemonstrationInput {
  readonly url: string;
  /** Of the demonstration itself. */
  readonly folder: string;
  /** Password of `admin`, where this start knows it; needed once, to make the rows. */
  readonly password: string | null;
  readonly logger: Logger;
  readonly measures: Measures;
  readonly pools: Pools<Database>;
  /** Breaks the making of rows off. */
  readonly signal: AbortSignal;
}

/** The edge program beside this one: the simulated devices are real edges with other drivers. */
const edgeProgram = fileURLToPath(new URL("../../../edge/src/main.ts", import.meta.url));

/** Forty devices do little: the garbage of many minutes need not lie in memory. */
const nodeOptions = ["--memory-saver-mode", "--max-semi-space-size=2"];

/** A fleet that keeps failing is not started again and again at full speed. */
const restartAfterMs = 3_000;

interface FirstStart {
  /** Ids by name. */
  readonly nodes: ReadonlyMap<string, number>;
  flows(now: number): FlowRow[];
  /** Makes the changes that give nodes a history. */
  later(signal: AbortSignal): Promise<void>;
}

/** Makes rows and file on the first start; null on every other. */
async function makeFleetFile(input: DemonstrationInput, file: string): Promise<FirstStart | null> {
  if (existsSync(file)) return null;
  if (input.password === null) {
    input.logger.warn("the demonstration has no fleet: its first start was cut short");
    return null;
  }
  let token: string | null = null;
  const callWithToken = callerOf(input.url, () => token);
  // Some thousand calls: a start that is broken off must not make them all first.
  const call: Caller = (...of) => {
    input.signal.throwIfAborted();
    return callWithToken(...of);
  };
  const credentials = { loginName: "admin", password: input.password, sms: null };
  const { data } = await call(login, credentials);
  token = data.token;
  const seeded = await seedDemonstration(call, data.groupid, input.password);
  const { devices, nodes, sites, accounts } = seeded;
  await writePastRollouts(input.pools.owner.db);
  // Renamed when complete: a start that was cut short leaves no half fleet behind.
  await writeFile(`${file}.new`, JSON.stringify(devices), { mode: 0o600 });
  await rename(`${file}.new`, file);
  const later = (signal: AbortSignal) => makeLaterChanges(callWithToken, nodes, signal);
  return {
    nodes,
    later,
    flows: (now) => pastFlows(sites, accounts, now),
  };
}

export interface Demonstration {
  /** Ends what is still written about it. */
  close(): Promise<void>;
  /** Ends its devices. After the gateway: then they do not leave, as they would be called offline until they are back. */
  closeDevices(): Promise<void>;
}

/** Makes the demonstration's rows on its first start and runs its simulated devices in a child. */
export async function startDemonstration(input: DemonstrationInput): Promise<Demonstration> {
  const { logger, folder } = input;
  const file = fleetFile(folder);
  await mkdir(folder, { recursive: true });
  const first = await makeFleetFile(input, file);
  if (!existsSync(file)) {
    const nothing = async (): Promise<void> => undefined;
    return { close: nothing, closeDevices: nothing };
  }
  const fleet = keepRunning(["simulate", "--fleet", file, "--data", join(folder, "edges")], logger);
  const end = new AbortController();
  const made = first && [
    changeLater(first, end.signal, logger),
    showPast(input, first, end.signal),
  ];
  return {
    async close() {
      end.abort();
      await Promise.all(made ?? []);
    },
    closeDevices: () => fleet.close(),
  };
}

async function changeLater(first: FirstStart, signal: AbortSignal, logger: Logger): Promise<void> {
  try {
    await first.later(signal);
    if (!signal.aborted) logger.info("the demonstration's nodes have a history");
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, "later changes of the demonstration");
  }
}

const minuteMs = 60_000;
/** Most shows within the first two minutes, and nobody is to see it as something that began just now. */
const firstPasses: Passes = { passes: 120, pauseMs: 1_000 };
/** Rules wait for up to five minutes before their alarm opens. */
const latePasses: Passes = { passes: 36, pauseMs: 10_000 };

/** Ms for which things have been as they are, by site. */
const lastingOf = (nodes: FirstStart["nodes"], isSo: (site: (typeof cpes)[number]) => boolean) =>
  cpes.filter(isSo).flatMap((site) => {
    const nodeId = nodes.get(site.name);
    return nodeId === undefined ? [] : [{ site, nodeId, forMs: minutesOf(site.name) * minuteMs }];
  });

const poorIn = (nodes: FirstStart["nodes"]): PoorDevice[] =>
  lastingOf(nodes, ({ character: { lossPercent = 0, extraRttMs = 0 } = {} }) =>
    Boolean(lossPercent + extraRttMs),
  ).map(({ site, nodeId, forMs }) => {
    const extraRttMs = site.character?.extraRttMs ?? 0;
    return { nodeId, forMs, extraRttMs };
  });

/**
 * Charts have a day to show, and strips a week: the first reports of devices are extended into the past, and what is
 * wrong began in it.
 */
async function showPast(
  input: DemonstrationInput,
  first: FirstStart,
  signal: AbortSignal,
): Promise<void> {
  const { pools, logger } = input;
  const now = Date.now();
  try {
    const times = {
      began: beganOf(first.nodes, now),
      poor: poorIn(first.nodes).map(({ nodeId }) => nodeId),
      // Devices, links and alarms came up in the seconds before.
      started: now - 5 * minuteMs,
      signal,
    };
    const dating = dateTroubles(pools.owner.db, { ...times, ...firstPasses });
    await Promise.all([dating, writePast(input, first, now, signal)]);
    await dateTroubles(pools.owner.db, { ...times, ...latePasses });
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, "the demonstration has no past");
  }
}

/** @param start of the demonstration, ms since 1970 */
async function writePast(
  { measures, pools, logger }: DemonstrationInput,
  { nodes, flows }: FirstStart,
  start: number,
  signal: AbortSignal,
): Promise<void> {
  const { db } = pools.owner;
  const leaving = lastingOf(nodes, ({ character }) => character?.leaves === true);
  const forMs = new Map(leaving.map((one) => [one.nodeId, one.forMs]));
  const day = { signal, troubled: poorIn(nodes), left: forMs };
  const { rows, away } = await writePastDay(measures.store, [...nodes.values()], day);
  const left = new Map([...forMs].map(([id, ms]) => [id, start - ms]));
  await measures.store.flows.insert(
    flows(Date.now()).filter(({ node_id, at }) => at < (left.get(node_id) ?? Date.now())),
  );
  const transitions = await writePastTransitions(db, { now: start, away, left });
  const nodeId = nodes.get(incident.site);
  if (nodeId !== undefined) await writeIncident(db, { nodeId, signal });
  logger.info({ rows, transitions }, "the demonstration's past is written");
}

function keepRunning(args: readonly string[], logger: Logger) {
  let ending = false;
  let timer: NodeJS.Timeout | undefined;
  let child: ChildProcess;
  let guard: Guard | undefined;
  const again = (why: object): void => {
    guard?.release();
    if (ending) return;
    logger.warn(why, "simulated fleet ended; starting it again");
    timer = setTimeout(start, restartAfterMs);
  };
  const start = () => {
    child = spawn(process.execPath, [...nodeOptions, edgeProgram, ...args], {
      // Ctrl-C goes to all of a terminal's programs, and devices are to be there until the gateway has gone.
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr?.on("data", (text) =>
      logger.warn({ edges: String(text).trim() }, "simulated fleet"),
    );
    child.on("exit", (code, signal) => again({ code, signal }));
    // One that could not be started has no id, and does not exit.
    child.on("error", (error) => child.pid === undefined && again({ err: error }));
    if (child.pid !== undefined) guard = guardChild(child.pid, "TERM", logger);
  };
  start();
  return {
    async close() {
      ending = true;
      clearTimeout(timer);
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      await gone;
    },
  };
}
