import {
  backupDays,
  expiryDays,
  freeLimits,
  ingestionLimits,
  type installationStatus,
  type PartState,
  processLostSeconds,
  processRoles,
  type QueueName,
  queueLimits,
  queueNames,
  worstOf,
} from "@weft/contract/domains/monitoring/installation.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { StoreFacts } from "#metrics-store/store.ts";
import type { Counted } from "#telemetry/installation-query.ts";
import { type ProcessFacts, processFacts } from "./facts.ts";
import type { KeyFacts, PostgresFacts, ProcessRow } from "./store.ts";

export type Status = OutputOf<typeof installationStatus>;
type Process = Status["processes"][number];
type Key = Status["keys"][number];

const dayMs = 86_400_000;

/** What was found; null: it did not answer. */
export interface Found {
  readonly now: Date;
  readonly processes: readonly ProcessRow[];
  readonly counts: readonly Counted[] | null;
  readonly postgres: PostgresFacts | null;
  /** Undefined: this process was started without a metrics store. */
  readonly clickhouse: StoreFacts | null | undefined;
  readonly keys: KeyFacts | null;
}

interface Living {
  readonly row: ProcessRow;
  readonly isLost: boolean;
  readonly facts: ProcessFacts | null;
}

const roomState = (free: number | null, total: number | null): PartState => {
  if (free === null || total === null || total <= 0) return "unknown";
  const part = free / total;
  return part < freeLimits.bad ? "bad" : part < freeLimits.warn ? "warn" : "ok";
};

/** Null: it does not end. */
const endState = (end: Date | null, now: Date): PartState => {
  if (end === null) return "ok";
  const left = end.getTime() - now.getTime();
  return left <= 0 ? "bad" : left < expiryDays * dayMs ? "warn" : "ok";
};

function processOf({ row, isLost, facts }: Living, versions: ReadonlySet<string>): Process {
  const { host, port, pid, version, nodeVersion, startedAt, seenAt } = row;
  const failing = facts?.checks.filter(({ state }) => state !== "ready") ?? [];
  const states: PartState[] = facts
    ? [failing.length > 0 ? "warn" : "ok", roomState(facts.freeBytes, facts.totalBytes)]
    : ["unknown"];
  // During an upgrade two versions run beside each other; it is to end.
  if (versions.size > 1) states.push("warn");
  return {
    host,
    port,
    pid,
    version,
    nodeVersion,
    startedAt,
    seenAt,
    roles: processRoles.filter((role) => row.roles.includes(role)),
    state: isLost ? "bad" : worstOf(states),
    // What it reported last is no longer true.
    failing: isLost ? [] : failing,
    devices: isLost ? null : (facts?.devices ?? null),
    freeBytes: isLost ? null : (facts?.freeBytes ?? null),
    totalBytes: isLost ? null : (facts?.totalBytes ?? null),
    loopDelayMs: isLost ? null : (facts?.loopDelayMs ?? null),
  };
}

function queueOf(queue: QueueName, counts: Found["counts"]): Status["queues"][number] {
  const row = counts?.find((count) => count.of === "queue" && count.kind === queue);
  if (!row) return { queue, depth: null, oldestSeconds: null, state: "unknown" };
  const limit = queueLimits[queue];
  const isLate = limit !== null && (row.age ?? 0) > limit;
  return { queue, depth: row.count, oldestSeconds: row.age, state: isLate ? "bad" : "ok" };
}

function ingestionState(
  devices: number | null,
  clickhouse: Found["clickhouse"],
  now: Date,
): PartState {
  // Without devices nothing arrives, and whether it could is not known.
  if (devices === null || devices === 0 || !clickhouse) return "unknown";
  const { newestAt } = clickhouse;
  if (newestAt === null) return "unknown";
  const lag = (now.getTime() - newestAt.getTime()) / 1_000;
  return lag > ingestionLimits.bad ? "bad" : lag > ingestionLimits.warn ? "warn" : "ok";
}

function ingestionOf(living: readonly Living[], found: Found): Status["ingestion"] {
  const facts = living.flatMap((row) => (row.facts ? [row.facts] : []));
  const gateways = facts.filter(({ devices }) => devices !== null);
  const devices =
    gateways.length === 0
      ? null
      : gateways.reduce((sum, gateway) => sum + (gateway.devices ?? 0), 0);
  const intakes = gateways.flatMap(({ intake }) => (intake ? [intake] : []));
  const isKnown = intakes.length > 0;
  const total = (of: (intake: (typeof intakes)[number]) => number): number =>
    intakes.reduce((sum, intake) => sum + of(intake), 0);
  return {
    state: ingestionState(devices, found.clickhouse, found.now),
    devices,
    newestAt: found.clickhouse?.newestAt ?? null,
    waitingRows: isKnown ? total(({ waitingRows }) => waitingRows) : null,
    oldestSeconds: isKnown ? Math.max(...intakes.map((intake) => intake.oldestSeconds)) : null,
    refused: isKnown ? total(({ refused }) => refused) : null,
  };
}

function storesOf({ postgres, clickhouse }: Found): Status["stores"] {
  const none = { version: null, bytes: null, freeBytes: null, totalBytes: null };
  return [
    {
      store: "postgresql",
      ...none,
      ...postgres,
      // Its disk is on a machine that it does not report; that of an embedded one is its process's.
      state: postgres ? "ok" : "bad",
    },
    clickhouse
      ? {
          store: "clickhouse",
          version: clickhouse.version,
          bytes: clickhouse.bytes,
          freeBytes: clickhouse.freeBytes,
          totalBytes: clickhouse.totalBytes,
          state: roomState(clickhouse.freeBytes, clickhouse.totalBytes),
        }
      : { store: "clickhouse", ...none, state: clickhouse === null ? "bad" : "unknown" },
  ];
}

function keysOf(living: readonly Living[], { keys, now }: Found): Key[] {
  const none = { place: null, since: null, expiresAt: null, count: null };
  const gateways = living
    .filter(({ row }) => row.roles.includes("gateway"))
    .map(({ row, facts }): Key => {
      const at = facts?.certificateEndsAt ?? null;
      const expiresAt = at === null ? null : new Date(at);
      const state = expiresAt === null ? "unknown" : endState(expiresAt, now);
      return { ...none, kind: "gateway", place: `${row.host}:${row.port}`, expiresAt, state };
    });
  if (!keys) {
    return [
      ...gateways,
      { ...none, kind: "controller", state: "unknown" },
      { ...none, kind: "api", state: "unknown" },
    ];
  }
  return [
    ...gateways,
    {
      ...none,
      kind: "controller",
      since: keys.activatedAt ?? keys.madeAt,
      count: keys.isPrepared ? 1 : 0,
      state: keys.isPrepared ? "warn" : "ok",
    },
    {
      ...none,
      kind: "api",
      expiresAt: keys.apiKeyEndsAt,
      count: keys.apiKeysEndingSoon,
      state: keys.apiKeysEndingSoon > 0 ? "warn" : "ok",
    },
  ];
}

function backupOf(living: readonly Living[], now: Date): Status["backup"] {
  const times = living.flatMap(({ facts }) => (facts?.backupAt ? [facts.backupAt] : []));
  if (times.length === 0) return { at: null, state: "unknown" };
  const at = new Date(Math.max(...times));
  return { at, state: now.getTime() - at.getTime() > backupDays * dayMs ? "warn" : "ok" };
}

/** Evaluates what was found. Pure. */
export function statusOf(found: Found): Status {
  const all = found.processes.map((row): Living => {
    const isLost = row.silentSeconds > processLostSeconds;
    return { row, isLost, facts: processFacts.safeParse(row.facts).data ?? null };
  });
  const living = all.filter(({ isLost }) => !isLost);
  const versions = new Set(living.map(({ row }) => row.version));
  const processes = all.map((row) => processOf(row, versions));
  const missingRoles = processRoles.filter(
    (role) => !living.some(({ row }) => row.roles.includes(role)),
  );
  const parts = {
    processes,
    missingRoles,
    queues: queueNames.map((queue) => queueOf(queue, found.counts)),
    ingestion: ingestionOf(living, found),
    stores: storesOf(found),
    keys: keysOf(living, found),
    backup: backupOf(living, found.now),
  };
  const { queues, stores, keys } = parts;
  const lists = [...processes, ...queues, ...stores, ...keys, parts.ingestion, parts.backup];
  const states = lists.map(({ state }) => state);
  return { ...parts, state: missingRoles.length > 0 ? "bad" : worstOf(states) };
}
