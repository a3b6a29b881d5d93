import { describe, expect, test } from "vitest";
import type { ProcessFacts } from "./facts.ts";
import { type Found, statusOf } from "./rules.ts";

const now = new Date("2026-11-27T12:00:00Z");
const before = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
const facts: ProcessFacts = {
  checks: [{ name: "database", state: "ready" }],
  devices: 3,
  certificateEndsAt: before(-90 * 86_400).getTime(),
  freeBytes: 80,
  totalBytes: 100,
  loopDelayMs: 12,
  intake: { waitingRows: 4, oldestSeconds: 0.2, refused: 0 },
  backupAt: before(3_600).getTime(),
};
const row = {
  id: "1",
  host: "a",
  port: 8080,
  pid: 7,
  version: "1",
  nodeVersion: "22",
  roles: ["api", "gateway", "worker"],
  startedAt: before(60),
  seenAt: before(3),
  silentSeconds: 3,
  facts,
};
const queue = (kind: string, age: number | null) =>
  ({ of: "queue", kind, state: "", count: age === null ? 0 : 1, age }) as const;
const well: Found = {
  now,
  processes: [row],
  counts: ["changes", "compile", "audit", "outbox", "batches", "commands"].map((kind) =>
    queue(kind, null),
  ),
  postgres: { version: "17", bytes: 9 },
  clickhouse: { version: "25", bytes: 5, freeBytes: 9, totalBytes: 10, newestAt: before(20) },
  keys: {
    activatedAt: null,
    madeAt: before(900),
    isPrepared: false,
    apiKeys: 0,
    apiKeysEndingSoon: 0,
    apiKeyEndsAt: null,
  },
};
const found = (of: Partial<Found>) => statusOf({ ...well, ...of });
const withFacts = (of: Partial<ProcessFacts>) =>
  found({ processes: [{ ...row, facts: { ...facts, ...of } }] });

test("an installation of which all is known to be well is well", () => {
  const status = found({});
  expect(status.state).toBe("ok");
  expect(status.missingRoles).toEqual([]);
  expect(status.ingestion).toMatchObject({ state: "ok", devices: 3, waitingRows: 4 });
});

describe("what is not known is never well", () => {
  test.each<[string, Partial<Found>, (status: ReturnType<typeof statusOf>) => unknown]>([
    ["queues", { counts: null }, ({ queues }) => queues.map(({ state }) => state)],
    ["a metrics store", { clickhouse: undefined }, ({ stores }) => [stores[1]?.state]],
    ["lag", { clickhouse: undefined }, ({ ingestion }) => [ingestion.state]],
    ["keys", { keys: null }, ({ keys }) => keys.slice(1).map(({ state }) => state)],
    [
      "facts of another version",
      { processes: [{ ...row, facts: { checks: "?" } }] },
      ({ processes }) => [processes[0]?.state],
    ],
  ])("%s", (_, of, states) => {
    expect(new Set(states(found(of)) as string[])).toEqual(new Set(["unknown"]));
    expect(found(of).state).not.toBe("ok");
  });

  test("an unknown backup, a disk that is not reported, and no device at all", () => {
    expect(withFacts({ backupAt: null }).backup).toEqual({ at: null, state: "unknown" });
    expect(withFacts({ freeBytes: null }).processes[0]?.state).toBe("unknown");
    expect(withFacts({ devices: 0 }).ingestion.state).toBe("unknown");
    expect(withFacts({ certificateEndsAt: null }).keys[0]?.state).toBe("unknown");
  });
});

test("a process that is lost is bad, keeps no old values, and takes its roles with it", () => {
  const status = found({ processes: [{ ...row, silentSeconds: 46 }] });
  expect(status.processes[0]).toMatchObject({ state: "bad", devices: null, freeBytes: null });
  expect(status.missingRoles).toEqual(["api", "gateway", "worker"]);
  expect(status.ingestion).toMatchObject({ devices: null, waitingRows: null });
  expect(status.keys.map(({ kind }) => kind)).toEqual(["controller", "api"]);
});

test("stores that do not answer are bad", () => {
  const status = found({ postgres: null, clickhouse: null });
  expect(status.stores.map(({ state }) => state)).toEqual(["bad", "bad"]);
});

test.each([
  ["changes", 121, "bad"],
  ["changes", 119, "ok"],
  ["outbox", 901, "bad"],
  // Devices may be offline for days.
  ["commands", 90_000, "ok"],
])("a queue %s whose oldest waits %i s is %s", (kind, age, state) => {
  const counts =
    well.counts?.map((count) => (count.kind === kind ? queue(kind, age) : count)) ?? [];
  expect(found({ counts }).queues.find((one) => one.queue === kind)?.state).toBe(state);
});

test.each([
  [80, "ok"],
  [120, "warn"],
  [400, "bad"],
])("metrics whose newest are %i s old are %s", (seconds, state) => {
  const clickhouse = { version: "25", bytes: 5, freeBytes: 9, totalBytes: 10 };
  const at = { ...clickhouse, newestAt: before(seconds) };
  expect(found({ clickhouse: at }).ingestion.state).toBe(state);
});

test("what ends soon, is full, old, behind or of two versions is named", () => {
  expect(withFacts({ certificateEndsAt: before(-86_400).getTime() }).keys[0]?.state).toBe("warn");
  expect(withFacts({ certificateEndsAt: before(1).getTime() }).keys[0]?.state).toBe("bad");
  expect(withFacts({ freeBytes: 10 }).processes[0]?.state).toBe("warn");
  expect(withFacts({ freeBytes: 3 }).processes[0]?.state).toBe("bad");
  expect(withFacts({ backupAt: before(3 * 86_400).getTime() }).backup.state).toBe("warn");
  const failing = [{ name: "measures", state: "not ready" }] as const;
  expect(withFacts({ checks: [...failing] }).processes[0]).toMatchObject({
    failing,
    state: "warn",
  });
  const other = { ...row, id: "2", port: 8081, version: "2" };
  expect(found({ processes: [row, other] }).processes.map(({ state }) => state)).toEqual([
    "warn",
    "warn",
  ]);
});
