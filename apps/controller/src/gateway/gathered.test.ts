/** What devices are sent and report is written together: how much that costs, and that no device pays for another. */
import { randomUUID } from "node:crypto";
import { type StateHead, toSections } from "@weft/contract/device/v1/state.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope, openPools, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { NotConfirmable } from "#domains/delivery/deliver/public.ts";
import { publish } from "#domains/delivery/publish/publish-states.ts";
import { sha256 } from "#domains/delivery/publish/state-content.ts";
import type { Device } from "#domains/devices/presence/public.ts";
import { eventually, type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import { ManualClock } from "../../test/manual-clock.ts";
import { smallState } from "../../test/small-state.ts";
import { Wire } from "../../test/wire.ts";
import { databaseStore } from "./database-store.ts";
import { defaultGather, deliveryFactor } from "./gatherer.ts";
import { defaultTimes } from "./hub.ts";
import { type GatewayStore, StoreAway } from "./store.ts";

const count = 50;
const { gatherMs } = defaultGather;
/** Where others asked a moment ago. */
const longMs = gatherMs * deliveryFactor;
let world: LoopWorld;
type Held = Device & { readonly epoch: number };
let devices: [Held, Held, ...Held[]];
beforeAll(async () => {
  // No worker: only these tests publish.
  world = await loopWorld();
  const { rows } = await sql<{ node: number; sn: string }>`
    insert into weft.node (enterprise_id, kind, name, sn)
    select 1, 'cpe', 'G-' || n, 'G-' || n from generate_series(1, ${count}) n
    returning id as node, sn`.execute(owner());
  const store = databaseStore(world.pools);
  devices = (await Promise.all(
    rows.map(async ({ node, sn }) => {
      const device = { node, enterpriseId: 1, sn, publicKey: sn };
      return { ...device, epoch: await store.openPresence(device, "gateway", "192.0.2.1") };
    }),
  )) as typeof devices;
}, 120_000);
afterAll(() => world.close());

const owner = () => world.pools.owner.db;
/** A state that no device has, of each of these. */
async function publishAll(to: readonly Device[] = devices): Promise<void> {
  const states = to.map(({ node, enterpriseId }) => {
    const sections = toSections(smallState(node, randomUUID().slice(0, 8)));
    const why = { restores: null, template: null, cause: "test", causes: [] };
    return { nodeId: node, enterpriseId, sections, format: new Set<never>(), ...why, createdBy: 0 };
  });
  await world.pools.worker.db.transaction().execute((trx) => publish(trx, states));
}
const newest = { running: null, sent: null, isSettled: true };
const take = (store: GatewayStore, { node }: Device) => store.takeNext(node, newest, defaultTimes);
const applied = (head: StateHead) => ({
  type: "outcome" as const,
  epoch: head.epoch,
  serial: head.serial,
  outcome: "applied" as const,
  reason: null,
});
const reverted = (head: StateHead) => ({ ...applied(head), outcome: "reverted" as const });
const confirmation = (node: number, { epoch, serial, sections }: StateHead) => ({
  node,
  epoch,
  serial,
  digest: sha256({ epoch, serial, sections }),
  nonce: "n",
  signature: "s",
});
async function outcomesOf(nodes: readonly number[]): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ node: number; outcome: string }>`
    select distinct on (node_id) node_id as node, outcome from weft.node_state
    where node_id = any(${[...nodes]}::bigint[]) order by node_id, serial desc`.execute(owner());
  const found = new Map(rows.map(({ node, outcome }) => [node, outcome]));
  return nodes.map((node) => found.get(node));
}
const allOf = <T>(value: T, times = count): T[] => Array.from({ length: times }, () => value);
const nodesOf = (some: readonly Device[]) => some.map(({ node }) => node);

/** A store whose requests are gathered until a test goes on. */
function manualStore(limits: object = {}, pools: Pools<Database> = world.pools) {
  const clock = new ManualClock();
  const store = databaseStore(pools, () => undefined, { ...limits, clock });
  /** Runs what was asked so far, and what follows from it. */
  const together = async <T>(asked: readonly Promise<T>[]): Promise<T[]> => {
    clock.advance(longMs);
    return Promise.all(asked);
  };
  return { clock, store, together };
}
/** Transactions and statements of the store meanwhile, beside those of a gateway that has no socket. */
async function counted(work: () => Promise<unknown>) {
  const seen = { transactions: 0, statements: 0 };
  const stop = world.pools.onQuery(({ role, kind, sql: text }) => {
    if (role !== "gateway") return;
    if (kind === "begin" && text.includes("weft.node_ids")) seen.transactions += 1;
    if (kind === "query" && /\b(node_state|node_status|edge_key)\b/.test(text))
      seen.statements += 1;
  });
  await work();
  stop();
  return seen;
}
/** A whole delivery to each device: sent, applied, confirmed, reported as running. */
async function deliverAll({ store, together }: ReturnType<typeof manualStore>) {
  const heads = await together(devices.map((device) => take(store, device)));
  const headOf = (at: number) => heads[at] as StateHead;
  await together(devices.map(({ node }, at) => store.keepOutcome(node, applied(headOf(at)))));
  await together(devices.map(({ node }) => store.confirmKey(node)));
  await together(
    devices.map(({ node }, at) => store.keepConfirmed(confirmation(node, headOf(at)))),
  );
  await together(
    devices.map((device, at) =>
      store.keepHeartbeat(device, device.epoch, {
        type: "heartbeat",
        drift: null,
        running: confirmation(device.node, headOf(at)),
      }),
    ),
  );
}

test("a delivery to fifty devices is four transactions of a handful of statements", async () => {
  await publishAll();
  const seen = await counted(() => deliverAll(manualStore()));
  expect(seen).toEqual({ transactions: 4, statements: 9 });
  expect(await outcomesOf(nodesOf(devices))).toEqual(allOf("confirmed"));
});

test("devices of a push that ask one after the other are one transaction, and the first of them waits for no other", async () => {
  await publishAll();
  const { store, clock } = manualStore();
  const [first, ...others] = devices;
  const seen = await counted(async () => {
    const asked = take(store, first);
    clock.advance(gatherMs);
    expect(await asked).not.toBeNull();
    const rest = others.map((device) => {
      const head = take(store, device);
      clock.advance(longMs / count);
      return head;
    });
    clock.advance(longMs / count);
    expect((await Promise.all(rest)).filter((head) => head === null)).toEqual([]);
  });
  expect(seen.transactions).toBe(2);
});

test("without gathering it would be fifty times as many", async () => {
  await publishAll();
  const seen = await counted(() => deliverAll(manualStore({ most: 1 })));
  expect(seen).toEqual({ transactions: 4 * count, statements: 9 * count });
});

describe("among fifty", () => {
  test.each(["node_state", "task"])(
    "a row of %s that others hold delays its own device only, until they are done",
    async (table) => {
      await publishAll();
      const { store, clock } = manualStore();
      const [held, ...free] = devices;
      let late: Promise<StateHead | null> | undefined;
      await owner()
        .transaction()
        .execute(async (trx) => {
          const rows = sql.table(`weft.${table}`);
          await sql`select from ${rows} where node_id = ${held.node} for update`.execute(trx);
          late = take(store, held);
          const others = free.map((device) => take(store, device));
          clock.advance(longMs);
          expect((await Promise.all(others)).filter((head) => head === null)).toEqual([]);
        });
      expect(await late).not.toBeNull();
      expect(await outcomesOf(nodesOf(devices))).toEqual(allOf("delivered"));
    },
  );

  test("one that the database refuses fails alone, with nothing of it written", async () => {
    await publishAll();
    const poisoned = devices[20];
    await whereTriggered((poisoned as Held).node, "raise exception 'poisoned'", async () => {
      const { store, clock } = manualStore();
      const asked = devices.map((device) => take(store, device));
      clock.advance(longMs);
      const settled = await Promise.allSettled(asked);
      expect(settled.map(({ status }) => status)).toEqual(
        devices.map((device) => (device === poisoned ? "rejected" : "fulfilled")),
      );
      expect(settled[20]).toMatchObject({ reason: { message: "poisoned" } });
    });
    expect(await outcomesOf(nodesOf(devices))).toEqual(
      devices.map((device) => (device === poisoned ? "waiting" : "delivered")),
    );
  });

  test("a confirmation that is refused changes nothing, and the others are kept", async () => {
    await publishAll();
    const { store, clock, together } = manualStore();
    const heads = await together(devices.map((device) => take(store, device)));
    const asked = devices.map(({ node }, at) => {
      const own = confirmation(node, heads[at] as StateHead);
      return store.keepConfirmed(at === 7 ? { ...own, digest: "0".repeat(64) } : own);
    });
    // A node that was removed meanwhile.
    const gone = store.keepConfirmed(confirmation(987_654, heads[0] as StateHead));
    clock.advance(longMs);
    const settled = await Promise.allSettled([...asked, gone]);
    const refused = settled.flatMap((one, at) => (one.status === "rejected" ? [at] : []));
    expect(refused).toEqual([7, count]);
    expect(settled[7]).toMatchObject({ reason: expect.any(NotConfirmable) });
    expect(await outcomesOf(nodesOf(devices))).toEqual(
      devices.map((_, at) => (at === 7 ? "delivered" : "confirmed")),
    );
  });
});

/** Runs `work` while a write of a state of this node does what `statement` says. */
async function whereTriggered(node: number, statement: string, work: () => Promise<unknown>) {
  await sql`
    create function weft.on_test() returns trigger language plpgsql as $$
      begin ${sql.raw(statement)}; return null; end $$;
    create trigger on_test after update on weft.node_state for each row
      when (new.node_id = ${sql.lit(node)}) execute function weft.on_test()`.execute(owner());
  try {
    await work();
  } finally {
    await sql`drop trigger on_test on weft.node_state; drop function weft.on_test`.execute(owner());
  }
}

test("reports of one device are written in the order in which they came", async () => {
  const [one, other] = devices;
  await publishAll([one, other]);
  const { store, clock, together } = manualStore();
  const [head, another] = await together([take(store, one), take(store, other)]);
  const all = Promise.all([
    store.keepOutcome(one.node, applied(head as StateHead)),
    store.keepConfirmed(confirmation(one.node, head as StateHead)),
    store.keepOutcome(one.node, reverted(head as StateHead)),
    store.keepOutcome(other.node, reverted(another as StateHead)),
  ]);
  let isOver = false;
  void all.then(() => {
    isOver = true;
  });
  await eventually(async () => {
    clock.advance(longMs);
    return isOver;
  }, "all are written");
  // The other way round the confirmation would have been refused.
  await all;
  expect(await outcomesOf([one.node, other.node])).toEqual(["reverted", "reverted"]);
});

test("a state that was replaced while its device waited is not sent: the newer one is", async () => {
  const [one] = devices;
  await publishAll([one]);
  const { store, together } = manualStore();
  const asked = take(store, one);
  await publishAll([one]);
  const [head] = await together([asked]);
  const { rows } = await sql<{ serial: number; outcome: string }>`
    select serial, outcome from weft.node_state where node_id = ${one.node}
    order by serial desc limit 2`.execute(owner());
  expect(rows).toEqual([
    { serial: head?.serial, outcome: "delivered" },
    { serial: (head?.serial ?? 0) - 1, outcome: "superseded" },
  ]);
});

test("two controllers that serve the same devices at the same moment send each state as one", async () => {
  await publishAll();
  const [one, two] = [manualStore(), manualStore()];
  const takeAll = ({ store, together }: typeof one, some: readonly Device[]) =>
    together(some.map((device) => take(store, device)));
  const [heads, others] = await Promise.all([
    takeAll(one, devices),
    takeAll(two, devices.toReversed()),
  ]);
  expect(others.toReversed()).toEqual(heads);
  const { rows } = await sql<{ retries: number; status: number }>`
    select distinct s.retries, t.status from weft.node_state s
    join weft.task t on t.node_id = s.node_id and t.serial = s.serial and t.type = 'state'
    where s.node_id = any(${nodesOf(devices)}::bigint[]) and s.outcome = 'delivered'`.execute(
    owner(),
  );
  expect(rows).toEqual([{ retries: 0, status: 4 }]);
  // One hears what became of it, and the other the confirmation, in the same moment.
  const asked = devices.map(({ node }, at) => ({ node, head: heads[at] as StateHead }));
  await Promise.all([
    one.together(asked.map(({ node, head }) => one.store.keepOutcome(node, applied(head)))),
    two.together(
      asked.toReversed().map(({ node, head }) => two.store.keepConfirmed(confirmation(node, head))),
    ),
  ]);
  expect(await outcomesOf(nodesOf(devices))).toEqual(allOf("confirmed"));
});

describe("a controller that ends", () => {
  test("between COMMIT and sending: the device is sent the same when it comes back", async () => {
    await publishAll();
    const { store, together } = manualStore();
    const heads = await together(devices.map((device) => take(store, device)));
    const next = manualStore();
    expect(await next.together(devices.map((device) => take(next.store, device)))).toEqual(heads);
  });

  test("in the middle of a transaction leaves nothing half, and all is there when it is asked again", async () => {
    await publishAll();
    const { store, clock, together } = manualStore();
    const last = devices.at(-1) as Device;
    const end = "perform pg_terminate_backend(pg_backend_pid())";
    await whereTriggered(last.node, end, async () => {
      const asked = devices.map((device) => take(store, device));
      clock.advance(longMs);
      const settled = await Promise.allSettled(asked);
      expect(settled).toEqual(
        allOf({ status: "rejected", reason: expect.any(StoreAway) as StoreAway }),
      );
      expect(await outcomesOf(nodesOf(devices))).toEqual(allOf("waiting"));
    });
    const heads = await together(devices.map((device) => take(store, device)));
    expect(heads.filter((head) => head === null)).toEqual([]);
    expect(await outcomesOf(nodesOf(devices))).toEqual(allOf("delivered"));
  });
});

test("a database that is away neither loses nor doubles what is reported again", async () => {
  await publishAll();
  const wire = new Wire(new URL(world.api.database.url));
  await wire.mend();
  const pools = await openPools<Database>(wire.url.href);
  const { store, clock, together } = manualStore({}, pools);
  try {
    const heads = await together(devices.map((device) => take(store, device)));
    const report = () =>
      devices.map(({ node }, at) => store.keepOutcome(node, applied(heads[at] as StateHead)));
    await wire.cut();
    const lost = report();
    clock.advance(longMs);
    expect(await Promise.allSettled(lost)).toEqual(
      allOf({ status: "rejected", reason: expect.any(StoreAway) as StoreAway }),
    );
    await wire.mend();
    await together(report());
    await together(report());
    expect(await outcomesOf(nodesOf(devices))).toEqual(allOf("applied"));
  } finally {
    await pools.end();
    await wire.cut();
  }
});

test("sections that devices need are read together, and each gets its own only", async () => {
  const some = devices.slice(0, 16);
  await publishAll(some);
  const { store, together } = manualStore();
  const heads = await together(some.map((device) => take(store, device)));
  const hashesOf = (at: number) => Object.values((heads[at] as StateHead).sections);
  // Each asks for those of the next one as well, and for one twice.
  const asked = some.map((_, at) => {
    const own = hashesOf(at);
    return [...own, own[0] as string, ...hashesOf((at + 1) % some.length)];
  });
  const seen: string[] = [];
  const stop = world.pools.onQuery(({ role, kind, sql: text }) => {
    if (role === "gateway" && kind === "query" && text.includes("state_section")) seen.push(text);
  });
  const found = await together(
    some.map(({ node }, at) => store.readSections(node, asked[at] as string[])),
  );
  stop();
  expect(seen.length).toBe(1);
  for (const [at, { node }] of some.entries()) {
    const { rows } = await sql<{ hash: string }>`
      select hash from weft.state_section where node_id = ${node}
        and hash = any(${asked[at]}::text[])`.execute(owner());
    const given = (found[at] ?? []).map(({ hash }) => hash);
    expect(given.sort()).toEqual(rows.map(({ hash }) => hash).sort());
    for (const { hash, text } of found[at] ?? []) expect(sha256(JSON.parse(text))).toBe(hash);
  }
});

test("a transaction of some nodes reaches no other node, and no other table of theirs", async () => {
  const [one, other] = devices;
  const seen = await inScope(
    world.pools.gateway,
    { kind: "nodes", nodeIds: [one.node] },
    async (trx) => {
      const states = await sql<{ id: number }>`
        select distinct node_id as id from node_state`.execute(trx);
      const changed = await sql`
        update node_status set running_digest = 'another' where node_id = ${other.node}
        returning node_id`.execute(trx);
      const tasks = await sql<{ id: number }>`
        select distinct node_id as id from task`.execute(trx);
      const identities = await sql`select from node_identity`.execute(trx);
      return [states.rows, changed.rows, tasks.rows, identities.rows];
    },
  );
  expect(seen).toEqual([[{ id: one.node }], [], [{ id: one.node }], []]);
});
