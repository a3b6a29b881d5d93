import type { Logger } from "pino";
import { listen } from "#db/listen.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { settleLeaving } from "#domains/delivery/links/public.ts";
import {
  changesOfBatch,
  createChangeReader,
  createCompiler,
  createStateHint,
  defaultPace,
  nodeRestMs,
} from "#domains/delivery/publish/public.ts";
import { releaseReports } from "#domains/devices/presence/public.ts";
import { fanOutEvents } from "#domains/notifications/webhook/public.ts";
import { createWaves } from "#domains/templates/rollout/public.ts";
import { createTakeIn } from "#domains/templates/router-template/public.ts";
import { changeChannel, transitionChannel } from "#kernel/change-hint.ts";
import { type Repeated, repeat, spaced } from "#kernel/repeat.ts";
import type { Vault } from "#kernel/vault.ts";
import type { MeasureStore } from "#metrics-store/store.ts";
import { endAccounts, expireNodes, sweepAll } from "./housekeeping.ts";
import type { OutboxSettings } from "./outbox-transports.ts";
import { createPresenceWatch } from "./presence.ts";
import { createBatchRunner } from "./run-batches.ts";
import { runDials } from "./run-dials.ts";
import { sealWaiting } from "./seal-audit.ts";
import { createOutboxSender } from "./send-outbox.ts";
import { findWaitingWork, type WaitingWork } from "./waiting-work.ts";
import { watchAlarms } from "./watch-alarms.ts";

export interface Worker {
  /** False while its last read of the changes failed. */
  ready(): boolean;
  close(): Promise<void>;
}

/** Hints may get lost. */
const defaultPollMs = 2_000;
/** Ms from one reading of changes to the next: a reading is some twenty statements, for one change or for hundreds. */
const changesMs = 100;
/** People wait for a code, watch a bulk job, and the operation log is sealed within a second (design section 3.1). */
const waitingMs = 500;
/** Ms from one turn to the next of work that is looked for by one statement for all. */
const defaultLookedForMs = 5_000;
/** Ms from one seal of the operation log to the next. */
const sealMs = 500;
const presenceMs = 30_000;
const endsMs = 2_000;
/** Pauses in a row of what a device reports after which an operator is to look at it. */
const restlessPauses = 3;
const dialsMs = 5_000;
const wavesMs = 2_000;
/** Links whose traffic has moved go soon after; no one waits for them. */
const leavingMs = 2_000;
/** A new site waits for it before it gets its template. */
const takeInMs = 2_000;
const sweepMs = 3_600_000;

/**
 * Starts the worker: change rows become compiled states. Any number of processes may run one; all
 * that it works on is in the database, so that another goes on where one ended.
 */
export async function startWorker(input: {
  readonly pools: Pools<Database>;
  readonly logger: Logger;
  /** Opens secrets of policies, for the devices that need them. */
  readonly vault: Vault;
  /** Days that records of logins are kept. */
  readonly loginLogDays?: number;
  /** How messages leave; absent: none does. */
  readonly messages?: OutboxSettings;
  /** Where metrics are; absent: alarms know those of links only. */
  readonly measures?: Pick<MeasureStore, "latest" | "flows">;
  /** How often changes are looked for without a notification. */
  readonly pollMs?: number;
  /** How often seals, messages, events for webhooks and bulk jobs have a turn although none was found to wait. */
  readonly lookedForMs?: number;
}): Promise<Worker> {
  const { pools, logger, loginLogDays = 180, pollMs = defaultPollMs } = input;
  const { lookedForMs = defaultLookedForMs } = input;
  let failing = false;
  const hint = createStateHint(pools, logger);
  const published = (nodeId: number) => hint.send(nodeId);
  const compiler = createCompiler(pools, logger, published, input.vault, undefined, nodeRestMs);
  const compiling = repeat("compile", pollMs, () => compiler.run(), logger);
  const changes = createChangeReader(pools, logger, defaultPace);
  const read = async () => {
    const taken = await changes.run().catch((error: unknown) => {
      failing = true;
      throw error;
    });
    failing = false;
    if (taken === 0) return "nothing";
    compiling.hint();
    return taken < changesOfBatch ? "all" : "part";
  };
  const reading = repeat("changes", pollMs, spaced(changesMs, read), logger);
  const presence = createPresenceWatch(pools);
  const age = async (): Promise<undefined> => {
    await presence.run();
    if ((await expireNodes(pools)) > 0) reading.hint();
  };
  const aging = repeat("presence", presenceMs, () => age(), logger);
  const ending = repeatEnds(pools, logger, reading.hint);
  const sweeping = repeat(
    "sweep",
    sweepMs,
    () => sweepAll(pools, { loginLogDays, flows: input.measures?.flows }),
    logger,
  );
  const sealing = repeat(
    "seal",
    lookedForMs,
    spaced(sealMs, () => sealWaiting(pools)),
    logger,
  );
  const messages = createOutboxSender(pools, input.messages ?? noOutbox, logger, input.vault);
  const sending = repeat("outbox", lookedForMs, () => again(messages.run("servers")), logger);
  const hooking = repeat("hooks", lookedForMs, () => again(messages.run("hooks")), logger);
  const lost = (error: unknown) =>
    logger.error({ err: error }, "an event was left out: it has no message");
  const fanning = repeat(
    "webhook events",
    lookedForMs,
    () => again(fanOutEvents(pools, lost)),
    logger,
  );
  const dialling = repeat("dials", dialsMs, () => again(runDials(pools)), logger);
  const batching = repeatBatches(pools, logger, lookedForMs, reading.hint);
  const templates = repeatTemplates(pools, logger, reading.hint);
  const leaving = repeatLeaving(pools, logger, reading.hint);
  const watching = watchAlarms(pools, logger, input.measures);
  const looking = repeatLooking(pools, logger, {
    seals: sealing,
    servers: sending,
    hooks: hooking,
    events: fanning,
    batches: batching,
  });
  const listener = listenForHints(pools, logger, { reading, watching });
  return {
    ready: () => !failing,
    async close() {
      await listener.close();
      await looking.close();
      for (const template of [watching, batching, ...templates, dialling, ending, leaving]) {
        await template.close();
      }
      for (const one of [fanning, hooking, sending, sealing, sweeping, aging]) await one.close();
      for (const one of [reading, compiling]) await one.close();
      messages.close();
      await hint.close();
    },
  };
}

/** Accounts whose time is over, and what devices reported whose pause is, are compiled immediately. */
function repeatEnds(pools: Pools<Database>, logger: Logger, changed: () => void): Repeated {
  const turn = async (): Promise<undefined> => {
    const ended = await endAccounts(pools);
    const released = await releaseReports(pools);
    const restless = released.filter(({ pauses }) => pauses >= restlessPauses);
    if (restless.length > 0) {
      logger.warn(
        { devices: restless },
        "devices report changes again and again: they are put off",
      );
    }
    if (ended + released.length > 0) changed();
  };
  return repeat("ends", endsMs, turn, logger);
}

/** Change rows are read at once; what people decide is a matter of health, too. */
const listenForHints = (
  pools: Pools<Database>,
  logger: Logger,
  { reading, watching }: Readonly<Record<"reading" | "watching", Repeated>>,
) =>
  listen(
    pools.worker.pg,
    [changeChannel, transitionChannel],
    (channel) => {
      if (channel === changeChannel) reading.hint();
      watching.hint();
    },
    (error) => logger.warn({ err: error }, "listening for hints failed"),
  );

const noOutbox: OutboxSettings = {
  smtpUrl: undefined,
  mailFrom: "",
  smsUrl: undefined,
  smsToken: undefined,
  hookNetworks: [],
};

/** As long as there was something to do, the next turn follows immediately. */
const again = async (done: Promise<number>): Promise<number | undefined> =>
  (await done) > 0 ? 0 : undefined;

/** Wakes each work that something waits for. */
function repeatLooking(
  pools: Pools<Database>,
  logger: Logger,
  works: Readonly<Record<keyof WaitingWork, Repeated>>,
): Repeated {
  const turn = async (): Promise<undefined> => {
    const found = await findWaitingWork(pools.worker.db);
    for (const [name, work] of Object.entries(works))
      if (found[name as keyof WaitingWork]) work.hint();
  };
  return repeat("waiting", waitingMs, turn, logger);
}

/** What a batch did is compiled immediately; rows that are left follow without a pause. */
function repeatBatches(
  pools: Pools<Database>,
  logger: Logger,
  everyMs: number,
  changed: () => void,
): Repeated {
  const runner = createBatchRunner(pools, logger);
  const turn = async (): Promise<number | undefined> => {
    if ((await runner.run()) === 0) return undefined;
    changed();
    return 0;
  };
  return repeat("batches", everyMs, turn, logger);
}

/** What the controller does with templates by itself. */
const repeatTemplates = (
  pools: Pools<Database>,
  logger: Logger,
  changed: () => void,
): readonly Repeated[] => [
  repeatWaves(pools, logger, changed),
  repeatTakeIn(pools, logger, changed),
];

/** CPEs that a step gives another version are compiled immediately; what follows from it, with the next step. */
function repeatWaves(pools: Pools<Database>, logger: Logger, changed: () => void): Repeated {
  const waves = createWaves(pools, logger);
  const turn = async (): Promise<number | undefined> => {
    if ((await waves.run()) === 0) return undefined;
    changed();
    return 0;
  };
  return repeat("waves", wavesMs, turn, logger);
}

/** Links that a site leaves go as soon as others carry. */
function repeatLeaving(pools: Pools<Database>, logger: Logger, changed: () => void): Repeated {
  const turn = async (): Promise<undefined> => {
    if ((await settleLeaving(pools)) > 0) changed();
  };
  return repeat("leaving", leavingMs, turn, logger);
}

/** CPEs that joined a template are compiled immediately. */
function repeatTakeIn(pools: Pools<Database>, logger: Logger, changed: () => void): Repeated {
  const taking = createTakeIn(pools, logger);
  const turn = async (): Promise<undefined> => {
    if ((await taking.run()) > 0) changed();
  };
  return repeat("takeIn", takeInMs, turn, logger);
}
