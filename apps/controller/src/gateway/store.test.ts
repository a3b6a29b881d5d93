// One battery over both stores: whatever is asked of them in whatever order, PostgreSQL and the rows
// in memory that the simulation uses give the same answers and hold the same rows.
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NotConfirmable } from "#domains/delivery/deliver/public.ts";
import type * as real from "#domains/delivery/lifecycle/transitions.ts";
import { sha256 } from "#domains/delivery/publish/state-content.ts";
import type { Device } from "#domains/devices/presence/public.ts";
import { type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import type * as memory from "../../test/memory-transitions.ts";
import { inMemory, onDatabase, type Subject } from "../../test/store-subjects.ts";
import { databaseStore } from "./database-store.ts";
import { defaultTimes } from "./hub.ts";
import { Refused } from "./refusal.ts";
import type { GatewayStore } from "./store.ts";

let world: LoopWorld;
beforeAll(async () => {
  // No worker: only the battery publishes.
  world = await loopWorld();
}, 60_000);
afterAll(() => world.close());

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
  heads.find((head) => head.serial === at) ?? { epoch: started, serial: at, sections: {} };

const idOf = (now: Case, at: number) => ({ epoch: headOf(now, at).epoch, serial: at });

const stated = (now: Case, serial: number, isRight: boolean) => ({
  ...idOf(now, serial),
  digest: isRight ? sha256(headOf(now, serial)) : "0".repeat(64),
});

const serial = fc.integer({ min: 1, max: 5 });
const template = fc.constantFrom(
  null,
  null,
  { templateId: 1, version: 1 },
  { templateId: 1, version: 2 },
);
const right = fc.constantFrom(true, true, true, false);
const running = fc.option(fc.tuple(serial, right), { nil: null, freq: 3 });
const runningOf = (now: Case, one: [number, boolean] | null) => one && stated(now, ...one);
const address = fc.constantFrom("192.0.2.1", "192.0.2.2");
const back = fc.constantFrom(0, 0, 1);

const lostLan = {
  section: "underlay",
  kind: "lan",
  object: "lan5",
  reason: "noInterface",
  params: {},
};
const outcome = op(
  "outcome",
  {
    serial,
    reported: fc.constantFrom("applied", "refused", "failed", "reverted"),
    unreachable: fc.boolean(),
    stopped: fc.boolean(),
    findings: fc.boolean(),
  },
  ({ serial: at, reported, unreachable, stopped, findings }, { store }, now) => {
    const outcomeFields = {
      type: "outcome",
      outcome: reported,
      reason: "test",
      unreachable,
      stopped,
    } as const;
    return store.keepOutcome(now.device.node, {
      ...outcomeFields,
      ...idOf(now, at),
      findings: findings ? [lostLan] : [],
    });
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
    node: now.device.node,
    nonce: "n",
    signature: "s",
  }),
);
const report = op(
  "report",
  { back, running, right },
  ({ back: older, running: runs, right: is }, { store }, now) =>
    store.keepReport(now.device, now.epoch - older, {
      type: "report",
      version: "1",
      capabilities: [],
      lines: [],
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
  { unreachable: fc.boolean(), stopped: fc.boolean(), s: fc.constantFrom(30, 100, 700) },
  async ({ unreachable, stopped, s }, subject, { device }) => {
    const { store } = subject;
    const view = { running: null, sent: null, isSettled: true };
    const head = await store.takeNext(device.node, view, defaultTimes);
    if (!head) return null;
    const outcomeFields = { type: "outcome", outcome: "reverted", reason: "test" } as const;
    const { epoch, serial: at } = head;
    await store.keepOutcome(device.node, {
      ...outcomeFields,
      epoch,
      serial: at,
      unreachable,
      stopped,
    });
    await subject.pass(s);
    return [head, await store.takeNext(device.node, view, defaultTimes)];
  },
);
const unmet = fc.constantFrom(
  null,
  { cannot: 0, count: 1, rows: [] as [] },
  { cannot: 1, count: 2, rows: [] as [] },
);
const publish = op(
  "publish",
  { name: fc.integer({ min: 0, max: 3 }), template, unmet, causes: fc.integer({ min: 0, max: 2 }) },
  ({ name, template: version, unmet: lost, causes }, subject) =>
    subject.publish(name, { template: version && { ...version, unmet: lost }, causes }),
);
const issue = op("issue", { template }, (one, subject) => subject.issue(one.template));
const bySerial = <Name extends "release" | "cancel" | "retry">(name: Name) =>
  op(name, { serial }, (one, subject, now) => subject[name](idOf(now, one.serial)));

/** Without what dates the states of the demonstration back. */
type Transition = Exclude<keyof typeof real, "dateBack">;
/** Nothing when one of the two lacks a transition of the other, which does not compile. */
type Mirrored = Transition extends keyof typeof memory
  ? keyof typeof memory extends Transition
    ? Transition
    : never
  : never;

interface Weighted {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Op>;
}
/** What each transition is compared by: a new one does not compile until it is in both and here. */
const byTransition: Readonly<Record<Mirrored, Weighted>> = {
  publishStates: { weight: 4, arbitrary: publish },
  addCauses: { weight: 1, arbitrary: publish },
  adoptVersions: { weight: 1, arbitrary: publish },
  settleIssues: { weight: 1, arbitrary: publish },
  deliverStates: { weight: 8, arbitrary: takeNext },
  recordOutcomes: { weight: 5, arbitrary: outcome },
  recordFindings: { weight: 1, arbitrary: outcome },
  confirmStates: { weight: 4, arbitrary: confirm },
  releaseState: { weight: 3, arbitrary: bySerial("release") },
  cancelState: { weight: 2, arbitrary: bySerial("cancel") },
  retryState: { weight: 3, arbitrary: bySerial("retry") },
  openIssueTasks: {
    weight: 3,
    arbitrary: issue,
  },
  cancelIssueTasks: {
    weight: 1,
    arbitrary: op("issues end", {}, (_none, subject) => subject.cancelIssues()),
  },
  removeOldStates: {
    weight: 2,
    arbitrary: op("sweep", {}, (_none, subject) => subject.sweep()),
  },
  supersedeEverything: {
    weight: 1,
    arbitrary: op("all end", {}, (_none, subject) => subject.supersedeEverything()),
  },
};
/** A published version of a template that a device runs; chance alone hardly ever gets so far. */
const runs = op(
  "runs",
  { name: fc.integer({ min: 0, max: 2 }), unmet, takesBack: fc.boolean(), sweeps: fc.boolean() },
  async ({ name, unmet: lost, takesBack, sweeps }, subject, { device: { node } }) => {
    const { store } = subject;
    const version = { templateId: 1, version: 1 + name };
    await subject.issue(version);
    await subject.publish(name, { template: { ...version, unmet: lost }, causes: 1 });
    const view = { running: null, sent: null, isSettled: true };
    const head = await store.takeNext(node, view, defaultTimes);
    if (!head) return null;
    const { epoch, serial: at } = head;
    const id = { epoch, serial: at };
    const proof = { ...id, digest: sha256(head), nonce: "n", signature: "s" };
    await store.keepConfirmed({ ...proof, node });
    const outcomeFields = { type: "outcome", outcome: "reverted", reason: "test" } as const;
    if (takesBack) await store.keepOutcome(node, { ...outcomeFields, ...id });
    if (sweeps) await subject.pass(600);
    return sweeps ? subject.sweep() : null;
  },
);
const heartbeat = op("heartbeat", { back, running }, (one, { store }, now) =>
  store.keepHeartbeat(now.device, now.epoch - one.back, {
    type: "heartbeat",
    drift: null,
    running: runningOf(now, one.running),
  }),
);
const ops = fc.oneof(
  { weight: 6, arbitrary: runs },
  fight,
  { weight: 4, arbitrary: comesBack },
  ...Object.values<Weighted>(byTransition),
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
  heartbeat,
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

/** What it gave, or why it refused; anything else that is thrown is a fault of the store. */
const answerOf = (work: () => Promise<unknown>): Promise<unknown> =>
  (async () => work())().catch((error: unknown) => {
    if (error instanceof Refused) return `refused: ${error.reason}`;
    if (error instanceof NotConfirmable) return error.message;
    throw error;
  });

/** A device of its own, in both stores. */
async function newCase(store: GatewayStore): Promise<{ now: Case; subjects: [Subject, Subject] }> {
  const site = await world.addSite();
  const edge = await world.enrolled(site);
  const found = await store.deviceIdentity(site.id, edge.publicKey);
  if (!found) throw new Error("the device is not there");
  const { enterpriseId, sn } = found;
  const device: Device = { node: site.id, enterpriseId, sn, publicKey: edge.publicKey };
  const started = await store.installationEpoch();
  return {
    now: { device, heads: [], epoch: 1, started },
    subjects: [onDatabase(world.pools, device, store), inMemory(device, started)],
  };
}

/** Compares the rows of both. @returns what is known of the device after that */
async function compared(
  [database, memory]: readonly [Subject, Subject],
  now: Case,
  text: string,
): Promise<Case> {
  const [rows, other] = [await database.rows(), await memory.rows()];
  expect(other, text).toEqual(rows);
  const epoch = (rows.status as { sessionEpoch?: number } | null)?.sessionEpoch ?? 1;
  const heads = rows.states.map(({ head }) => head);
  return { ...now, heads, epoch, started: await database.store.installationEpoch() };
}

test("PostgreSQL and memory answer alike and keep the same rows, whatever is asked", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ops, { minLength: 10, maxLength: 30 }), async (asked) => {
      const store = databaseStore(world.pools, () => undefined, { gatherMs: 0 });
      const { subjects, ...given } = await newCase(store);
      let { now } = given;
      for (const one of asked) {
        const answers: unknown[] = [];
        for (const subject of subjects) answers.push(await answerOf(() => one.run(subject, now)));
        expect(answers[1], one.text).toEqual(answers[0]);
        now = await compared(subjects, now, one.text);
      }
    }),
    { numRuns: 40, seed: 8 },
  );
}, 600_000);

test("what several devices ask at once is answered and written as if each were alone", async () => {
  const many = 4;
  const together = fc.oneof(
    { weight: 6, arbitrary: runs },
    { weight: 3, arbitrary: comesBack },
    { weight: 5, arbitrary: publish },
    { weight: 8, arbitrary: takeNext },
    { weight: 6, arbitrary: outcome },
    { weight: 5, arbitrary: confirm },
    { weight: 3, arbitrary: issue },
    { weight: 2, arbitrary: bySerial("release") },
    { weight: 2, arbitrary: heartbeat },
    { weight: 3, arbitrary: report },
  );
  const step = fc.array(together, { minLength: many, maxLength: many });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const store = databaseStore(world.pools);
      const cases = await Promise.all(Array.from({ length: many }, () => newCase(store)));
      for (const asked of steps) {
        const answer = (of: 0 | 1) =>
          Promise.all(
            cases.map(({ subjects, now }, at) =>
              answerOf(async () => (asked[at] as Op).run(subjects[of], now)),
            ),
          );
        const text = asked.map((one) => one.text).join("; ");
        const found = await answer(0);
        expect(await answer(1), text).toEqual(found);
        for (const one of cases) one.now = await compared(one.subjects, one.now, text);
      }
    }),
    { numRuns: 8, seed: 9 },
  );
}, 600_000);
