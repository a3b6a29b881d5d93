// One battery over both stores: whatever is asked of them in whatever order, PostgreSQL and the rows
// in memory that the simulation uses give the same answers and hold the same rows.
import { type DesiredState, type StateHead, toSections } from "@weft/contract/device/v1/state.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { NotConfirmable } from "#domains/delivery/deliver/public.ts";
import { weighRemovals } from "#domains/delivery/guard/guard.ts";
import { differences } from "#domains/delivery/history/public.ts";
import { publish, sha256 } from "#domains/delivery/publish/compile-node.ts";
import { type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import { MemoryRows, memoryStore } from "../../test/memory-store.ts";
import { smallState } from "../../test/small-state.ts";
import { databaseStore } from "./database-store.ts";
import { defaultTimes } from "./hub.ts";
import { Refused } from "./refusal.ts";
import type { Device } from "./reports.ts";
import type { GatewayStore } from "./store.ts";

let world: LoopWorld;
beforeAll(async () => {
  // No worker: only the battery publishes.
  world = await loopWorld();
}, 60_000);
afterAll(() => world.close());

/** One of the stores with what a test needs beside the gateway's calls. */
interface Subject {
  readonly store: GatewayStore;
  publish(name: number): Promise<"published" | "held" | "unchanged">;
  /** Everything that was written before is so much older. */
  pass(seconds: number): Promise<void>;
  /** The installation was restored from a backup. */
  restore(): Promise<void>;
  rows(): Promise<{ states: StoredState[]; status: object | null }>;
}

interface StoredState {
  readonly head: StateHead;
  readonly outcome: string;
  readonly noEcho: boolean;
  readonly stopped: boolean;
  readonly held: boolean;
  readonly retries: number;
  readonly isSent: boolean;
  readonly hasEnded: boolean;
  readonly task: number;
}

interface Case {
  readonly device: Device;
  /** States so far. */
  readonly heads: readonly StateHead[];
  /** Epoch of the socket that was opened last. */
  readonly epoch: number;
  /** Of the installation. */
  readonly started: number;
}

interface Op {
  readonly text: string;
  run(subject: Subject, now: Case): Promise<unknown>;
}

const op = <Fields>(
  name: string,
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
  run: (fields: Fields, subject: Subject, now: Case) => Promise<unknown>,
): fc.Arbitrary<Op> =>
  fc.record(fields).map((one) => ({
    text: `${name} ${JSON.stringify(one)}`,
    run: (subject, now) => run(one as Fields, subject, now),
  }));

/** A state by its place; it need not have been published. */
const headOf = ({ heads, started }: Case, at: number): StateHead =>
  heads[at - 1] ?? { epoch: started, serial: at, sections: {} };

const idOf = (now: Case, at: number) => ({ epoch: headOf(now, at).epoch, serial: at });

const stated = (now: Case, serial: number, isRight: boolean) => ({
  ...idOf(now, serial),
  digest: isRight ? sha256(headOf(now, serial)) : "0".repeat(64),
});

const serial = fc.integer({ min: 1, max: 4 });
const right = fc.constantFrom(true, true, true, false);
const running = fc.option(fc.tuple(serial, right), { nil: null, freq: 3 });
const runningOf = (now: Case, one: [number, boolean] | null) => one && stated(now, ...one);
const address = fc.constantFrom("192.0.2.1", "192.0.2.2");
const back = fc.constantFrom(0, 0, 1);

const outcome = op(
  "outcome",
  {
    serial,
    told: fc.constantFrom("applied", "refused", "failed", "reverted"),
    noEcho: fc.boolean(),
    stopped: fc.boolean(),
  },
  ({ serial: at, told, noEcho, stopped }, { store }, now) => {
    const words = { type: "outcome", outcome: told, reason: "test", noEcho, stopped } as const;
    return store.keepOutcome(now.device.node, { ...words, ...idOf(now, at) });
  },
);
const takeNext = op(
  "takeNext",
  { running, sent: fc.option(serial, { nil: null }), isSettled: fc.boolean() },
  ({ running: runs, sent, isSettled }, { store }, now) => {
    const last = sent === null ? null : headOf(now, sent);
    const view = { running: runningOf(now, runs), sent: last, isSettled };
    return store.takeNext(now.device.node, view, defaultTimes);
  },
);
const confirm = op("confirm", { serial, right }, ({ serial: at, right: is }, { store }, now) =>
  store.keepConfirmed({
    ...stated(now, at, is),
    ...{ node: now.device.node, nonce: "n", signature: "s" },
  }),
);
const report = op(
  "report",
  { back, running, right },
  ({ back: older, running: runs, right: is }, { store }, now) =>
    store.keepReport(now.device, now.epoch - older, {
      ...{ type: "report", version: "1", capabilities: [], lines: [] },
      serialNumber: is ? now.device.sn : "ANOTHER",
      tunnelKeys: [{ id: "k1", publicKey: now.device.publicKey }],
      running: runningOf(now, runs),
    }),
);
/** Chance alone hardly ever gets through these to their end. */
const fight = op(
  "fight",
  { rounds: fc.constantFrom(2, 3), address },
  async (one, { store }, now) => {
    const found: boolean[] = [];
    await store.openPresence(now.device, "one", "192.0.2.1");
    for (let round = 0; round < one.rounds; round += 1) {
      found.push(await store.noteReplacement(now.device, one.address));
    }
    return found;
  },
);
const comesBack = op(
  "comes back",
  { noEcho: fc.boolean(), stopped: fc.boolean(), s: fc.constantFrom(30, 100, 700) },
  async ({ noEcho, stopped, s }, subject, { device }) => {
    const { store } = subject;
    const view = { running: null, sent: null, isSettled: true };
    const head = await store.takeNext(device.node, view, defaultTimes);
    if (!head) return null;
    const words = { type: "outcome", outcome: "reverted", reason: "test" } as const;
    const { epoch, serial: at } = head;
    await store.keepOutcome(device.node, { ...words, epoch, serial: at, noEcho, stopped });
    await subject.pass(s);
    return [head, await store.takeNext(device.node, view, defaultTimes)];
  },
);
const ops = fc.oneof(
  fight,
  { weight: 4, arbitrary: comesBack },
  {
    weight: 4,
    arbitrary: op("publish", { name: fc.integer({ min: 0, max: 3 }) }, ({ name }, subject) =>
      subject.publish(name),
    ),
  },
  { weight: 8, arbitrary: takeNext },
  { weight: 6, arbitrary: outcome },
  { weight: 4, arbitrary: confirm },
  {
    weight: 4,
    arbitrary: op("pass", { s: fc.constantFrom(50, 300, 600) }, ({ s }, subject) =>
      subject.pass(s),
    ),
  },
  report,
  op(
    "presence",
    { gateway: fc.constantFrom("one", "other"), address },
    ({ gateway, address: from }, { store }, { device }) =>
      store.openPresence(device, gateway, from),
  ),
  {
    weight: 2,
    arbitrary: op("replacement", { address, right }, (one, { store }, { device }) =>
      store.noteReplacement(one.right ? device : { ...device, publicKey: "another" }, one.address),
    ),
  },
  op("restore", {}, (_none, subject) => subject.restore()),
  op("seen", { back, online: fc.boolean() }, (one, { store }, { device, epoch }) =>
    store.writeSeen([{ node: device.node, epoch: epoch - one.back }], one.online),
  ),
  op("heartbeat", { back, running }, (one, { store }, now) =>
    store.keepHeartbeat(now.device, now.epoch - one.back, {
      ...{ type: "heartbeat", drift: null },
      running: runningOf(now, one.running),
    }),
  ),
  op("watch", { back, right }, (one, { store }, { device, epoch }) => {
    const publicKey = one.right ? device.publicKey : "another";
    return store.watch([{ node: device.node, publicKey, epoch: epoch - one.back }], defaultTimes);
  }),
  op("identity", { right }, async (one, { store }, { device }) => [
    await store.deviceIdentity(device.node, one.right ? device.publicKey : "another"),
    await store.confirmKey(device.node),
    await store.confirmKey(987_654),
    await store.installationEpoch(),
  ]),
  op("sections", { serial }, async (one, { store }, now) => {
    const hashes = [...Object.values(headOf(now, one.serial).sections), "f".repeat(64)];
    const found = await store.readSections(now.device.node, hashes);
    return found.map(({ hash }) => hash).sort();
  }),
);

/** From the last of them to another it is this many routes less that the new one is kept back. */
const stateOf = (node: number, name: number): DesiredState => {
  const state = smallState(node, `host-${name}`);
  if (name < 3) return state;
  const routes = Array.from({ length: 20 }, (_, at) => ({
    ...{ destination: `10.${at}.0.0/16`, nextHop: "10.1.7.254", metric: 1 },
  }));
  return { ...state, static: { routes } };
};

function onDatabase(device: Device): Subject {
  const { pools } = world;
  const { node, enterpriseId } = device;
  const everything = { kind: "all" } as const;
  return {
    store: databaseStore(pools),
    publish: (name) => {
      const sections = toSections(stateOf(node, name));
      const why = { restores: null, template: null, cause: "test", causes: [], createdBy: 0 };
      const state = { nodeId: node, enterpriseId, sections, ...why };
      return pools.worker.db.transaction().execute((trx) => publish(trx, state));
    },
    pass: (seconds) =>
      inScope(pools.apiAll, everything, async (trx) => {
        await sql`update node_state set delivered_at = delivered_at - ${seconds} * interval '1 s',
          ended_at = ended_at - ${seconds} * interval '1 s' where node_id = ${node}`.execute(trx);
        await sql`update node_status set replacements = (
          select coalesce(jsonb_agg(jsonb_set(one, '{at}',
            to_jsonb((one ->> 'at')::bigint - ${seconds * 1_000}::bigint)) order by place), '[]')
          from jsonb_array_elements(replacements) with ordinality as all_of (one, place))
          where node_id = ${node}`.execute(trx);
      }),
    restore: async () => {
      await sql`update installation set epoch = epoch + 1`.execute(pools.owner.db);
    },
    rows: () =>
      inScope(pools.apiAll, everything, async (trx) => {
        const { rows } = await sql<Omit<StoredState, "head"> & StateHead>`
          select s.epoch, s.serial, s.sections, s.outcome, s.no_echo as "noEcho", s.stopped,
            s.held, s.retries,
            s.delivered_at is not null as "isSent", s.ended_at is not null as "hasEnded",
            t.status as task
          from node_state s join task t on t.node_id = s.node_id and t.serial = s.serial
          where s.node_id = ${node} order by s.epoch, s.serial`.execute(trx);
        const status = await sql<object>`
          select online, gateway, session_epoch as "sessionEpoch", running_serial as serial,
            running_digest as digest, socket_address as "socketAddress",
            jsonb_array_length(replacements) as replacements from node_status where node_id = ${node}`.execute(
          trx,
        );
        const states = rows.map(({ epoch, serial: at, sections, ...row }) => ({
          ...row,
          head: { epoch, serial: at, sections },
        }));
        return { states, status: status.rows[0] ?? null };
      }),
  };
}

/** By the compiler's rule; nothing of the battery has a cause. */
function isHeld(rows: MemoryRows, node: number, state: DesiredState): boolean {
  const { states, sections } = rows.of(node);
  const base = states.findLast(({ held }) => !held);
  if (!base) return false;
  const named = Object.entries(base.head.sections);
  const before = new Map(named.map(([name, hash]) => [name, sections.get(hash)] as const));
  const found = differences(before, toSections(state));
  return weighRemovals({ nodeId: node, found, causes: [], rows: [], nowMs: Date.now() }).held;
}

function inMemory(device: Device, epoch: number): Subject {
  let now = 1_000_000;
  const rows = new MemoryRows(() => now);
  rows.epoch = epoch;
  const { node, publicKey, enterpriseId, sn } = device;
  rows.addNode(node, { publicKey, enterpriseId, sn, state: "approved" });
  return {
    store: memoryStore(rows),
    publish: async (name) => {
      const state = stateOf(node, name);
      const held = isHeld(rows, node, state);
      if (rows.publish(node, state, held) === null) return "unchanged";
      return held ? "held" : "published";
    },
    pass: async (seconds) => {
      now += seconds * 1_000;
    },
    restore: async () => {
      rows.epoch += 1;
    },
    rows: async () => {
      const { states, status } = rows.of(node);
      return {
        states: states.map(({ digest: _, reason: _why, deliveredAt, endedAt, ...row }) => ({
          ...row,
          isSent: deliveredAt !== null,
          hasEnded: endedAt !== null,
        })),
        status: status && {
          ...{ online: status.online, gateway: status.gateway, sessionEpoch: status.sessionEpoch },
          serial: status.running?.serial ?? null,
          digest: status.running?.digest ?? null,
          socketAddress: status.socketAddress,
          replacements: status.replacements.length,
        },
      };
    },
  };
}

/** What it gave, or why it refused; anything else that is thrown is a fault of the store. */
const answerOf = (work: () => Promise<unknown>): Promise<unknown> =>
  (async () => work())().catch((error: unknown) => {
    if (error instanceof Refused) return `refused: ${error.reason}`;
    if (error instanceof NotConfirmable) return error.message;
    throw error;
  });

test("PostgreSQL and memory answer alike and keep the same rows, whatever is asked", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ops, { minLength: 10, maxLength: 30 }), async (asked) => {
      const site = await world.addSite();
      const edge = await world.enrolled(site);
      const store = databaseStore(world.pools);
      const found = await store.deviceIdentity(site.id, edge.publicKey);
      if (!found) throw new Error("the device is not there");
      const { enterpriseId, sn } = found;
      const device: Device = { node: site.id, enterpriseId, sn, publicKey: edge.publicKey };
      const started = await store.installationEpoch();
      const subjects = [onDatabase(device), inMemory(device, started)] as const;
      let now: Case = { device, heads: [], epoch: 1, started };
      for (const one of asked) {
        const answers: unknown[] = [];
        for (const subject of subjects) answers.push(await answerOf(() => one.run(subject, now)));
        expect(answers[1], one.text).toEqual(answers[0]);
        const [rows, other] = [await subjects[0].rows(), await subjects[1].rows()];
        expect(other, one.text).toEqual(rows);
        const epoch = (rows.status as { sessionEpoch?: number } | null)?.sessionEpoch ?? 1;
        const heads = rows.states.map(({ head }) => head);
        now = { device, heads, epoch, started: await store.installationEpoch() };
      }
    }),
    { numRuns: 40, seed: 8 },
  );
}, 120_000);
