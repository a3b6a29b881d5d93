/** Measures of links of all sockets are written together, and never over what came after them. */
import { once } from "node:events";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { keepMeasures } from "#domains/overlay/link/public.ts";
import type { FakeEdge, Line } from "../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import { ManualClock } from "../../test/manual-clock.ts";
import { MeasureBuffer } from "./measures.ts";

let world: LoopWorld;
let url: string;
const clock = new ManualClock();
const measuresMs = 300_000;
beforeAll(async () => {
  world = await loopWorld();
  // Minutes between two writes, so that what came before a fall is older on every clock.
  ({ url } = await world.gatewayBeside({ clock, heartbeatSeconds: 3_600, measuresMs }));
});
afterAll(() => world.close());

const query = <Row>(text: ReturnType<typeof sql<Row>>) =>
  inScope(world.pools.apiAll, { kind: "all" }, async (trx) => (await text.execute(trx)).rows);

interface Held {
  readonly edge: FakeEdge;
  readonly line: Line;
}
const held = async (address = url): Promise<Held> => {
  const edge = (await world.enrolled(await world.addSite())).at(address);
  return { edge, line: await edge.connect() };
};
let links = 0;
/** A link that the first one probes. */
const linkOf = async (a: Held, b: Held): Promise<number> => {
  links += 1;
  const [row] = await query(sql<{ id: number }>`
    with space as (insert into net_space (enterprise_id, name, topology)
      values (1, ${`measures ${links}`}, 0) returning id)
    insert into link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
      b_node_id, b_slot, b_port, b_key)
    select 1, id, 0, ${a.edge.node}, 1, ${40_000 + links}, 'x', ${b.edge.node}, 1,
      ${50_000 + links}, 'y' from space
    returning id`);
  return row?.id ?? 0;
};
const measure = (id: number, more = {}) => ({
  id,
  up: true,
  rttMs: 10,
  jitterMs: 1,
  lossPercent: 0,
  inRate: 1e9,
  outRate: 5,
  ...more,
});
const statusOf = async (ids: readonly number[]) => {
  const rows = await query(sql<{ id: number; up: boolean; rtt: number | null }>`
    select link_id as id, up, rtt_ms as rtt from link_status
    where link_id = any(${[...ids]}::bigint[]) order by link_id`);
  return rows.map(({ up, rtt }) => [up, rtt]);
};
/** Resolves when everything sent before has been processed. */
const ponged = async ({ line }: Held): Promise<void> => {
  line.socket.ping();
  await once(line.socket, "pong", { signal: AbortSignal.timeout(60_000) });
};

test("of all sockets are one statement, and a message is none of its own", async () => {
  const all = [await held(), await held(), await held()] as const;
  const [one, two, three] = all;
  const ids = [await linkOf(one, two), await linkOf(two, three), await linkOf(three, one)];
  for (const each of all) await ponged(each);
  const statements: string[] = [];
  const stop = world.pools.onQuery(({ role, kind, sql: text }) => {
    if (role !== "gateway") return;
    if (kind === "query" && /link_status|keep_transitions|keep_measures/.test(text)) {
      statements.push(text);
    }
  });
  for (const [at, each] of all.entries()) {
    for (const rttMs of [5, 6, 7]) {
      each.line.send({ type: "measures", links: [measure(ids[at] as number, { rttMs })] });
    }
  }
  for (const each of all) await ponged(each);
  expect(statements).toEqual([]);
  clock.advance(measuresMs);
  await eventually(async () => (await statusOf(ids)).length === 3, "the measures");
  expect(await statusOf(ids)).toEqual([
    [true, 7],
    [true, 7],
    [true, 7],
  ]);
  // Nothing new: nothing is written.
  clock.advance(measuresMs);
  await ponged(one);
  stop();
  expect(statements).toEqual([expect.stringContaining("weft.keep_measures")]);
});

test("that came before a link fell do not make it come up, whichever end reports the fall", async () => {
  const [near, far] = [await held(), await held()];
  const [own, others, after] = [
    await linkOf(near, far),
    await linkOf(near, far),
    await linkOf(near, far),
  ];
  const ids = [own, others, after];
  near.line.send({ type: "measures", links: ids.map((id) => measure(id)) });
  await ponged(near);
  clock.advance(measuresMs / 2);
  near.line.send({ type: "transition", links: [{ id: own, up: false }] });
  far.line.send({ type: "transition", links: [{ id: others, up: false }] });
  await ponged(near);
  await ponged(far);
  clock.advance(measuresMs);
  await eventually(async () => (await statusOf(ids)).length === 3, "the measures");
  expect(await statusOf(ids)).toEqual([
    [false, null],
    [false, null],
    [true, 10],
  ]);
  // What is measured afterwards counts: it is a millisecond old when it is written.
  clock.advance(measuresMs / 2 - 1);
  near.line.send({ type: "measures", links: [measure(others, { rttMs: 12 })] });
  await ponged(near);
  clock.advance(1);
  await eventually(async () => (await statusOf([others]))[0]?.[0] === true, "it is up again");
});

test("of a device that names a link of other nodes are not written; others of the same write are", async () => {
  const [one, two, three] = [await held(), await held(), await held()];
  const [own, foreign] = [await linkOf(one, two), await linkOf(two, three)];
  one.line.send({ type: "measures", links: [measure(own), measure(foreign, { rttMs: 99 })] });
  two.line.send({ type: "measures", links: [measure(foreign, { rttMs: 3 })] });
  await ponged(one);
  await ponged(two);
  clock.advance(measuresMs);
  expect((await one.line.next("refused", 60_000)).reason).toBe("notYours");
  await eventually(async () => (await statusOf([foreign])).length > 0, "the measures of the other");
  expect(await statusOf([own, foreign])).toEqual([[true, 3]]);
});

test("of a device whose rows the database refuses are not written; others of the same write are", async () => {
  const all = [await held(), await held(), await held()] as const;
  const [one, two, three] = all;
  const ids = [await linkOf(one, two), await linkOf(two, three), await linkOf(three, one)];
  const owner = world.pools.owner.pg;
  await owner.query(`create function weft.refuse_link() returns trigger language plpgsql as
    $$ begin raise exception 'no'; end $$`);
  await owner.query(`create trigger refused before insert on weft.link_status for each row
    when (new.link_id = ${ids[1]}) execute function weft.refuse_link()`);
  try {
    for (const [at, each] of all.entries()) {
      each.line.send({ type: "measures", links: [measure(ids[at] as number)] });
      await ponged(each);
    }
    clock.advance(measuresMs);
    await eventually(async () => (await statusOf(ids)).length === 2, "the measures of the others");
    expect(await statusOf([ids[1] as number])).toEqual([]);
  } finally {
    await owner.query("drop trigger refused on weft.link_status; drop function weft.refuse_link()");
  }
});

test("that no column holds are refused, and others of the same write are kept", async () => {
  const [one, two] = [await held(), await held()];
  const [first, second] = [await linkOf(one, two), await linkOf(two, one)];
  one.line.send({ type: "measures", links: [measure(first, { lossPercent: Number.MIN_VALUE })] });
  two.line.send({ type: "measures", links: [measure(second)] });
  await ponged(two);
  expect((await one.line.seek("refused")).reason).toBe("badMessage");
  clock.advance(measuresMs);
  await eventually(async () => (await statusOf([second])).length === 1, "those of the other");
});

/** What the means of a link are made of. */
const windowOf = async (id: number) =>
  await query(sql`select samples, loss_sum, rtt_sum, jitter_sum, minute, past_loss, past_rtt,
    past_jitter from link_status where link_id = ${id}`);

test("each sample counts once in the means of its minute, also one that came before a fall", async () => {
  const [near, far] = [await held(), await held()];
  const id = await linkOf(near, far);
  for (const lossPercent of [2, 4]) {
    near.line.send({
      type: "measures",
      links: [measure(id, { lossPercent, rttMs: 20 * lossPercent })],
    });
  }
  await ponged(near);
  clock.advance(measuresMs / 2);
  near.line.send({ type: "transition", links: [{ id, up: false }] });
  await ponged(near);
  clock.advance(measuresMs);
  await eventually(async () => ((await windowOf(id))[0] as { samples: number }).samples > 0, "it");
  expect(await windowOf(id)).toMatchObject([{ samples: 2, loss_sum: 6, rtt_sum: 120 }]);
  expect(await statusOf([id])).toEqual([[false, null]]);
});

test("samples of minutes in one statement make the means that one statement each makes", async () => {
  const [near, far] = [await held(), await held()];
  const [one, together] = [await linkOf(near, far), await linkOf(near, far)];
  const { node } = near.edge;
  // A lost sample, a link that is down, a minute without any, and then a gap that is too long.
  const seconds = [
    0, 15, 30, 45, 60, 75, 90, 130, 140, 185, 250, 255, 380, 400, 465, 700, 720, 790,
  ];
  const samples = seconds.map((second, index) => ({
    node,
    isOutdated: false,
    isRepeated: false,
    ageMs: (800 - second) * 1_000,
    link: {
      up: index !== 4,
      lossPercent: index === 7 ? null : (index * 7) % 5,
      rttMs: index % 6 === 2 ? null : 10 + index,
      jitterMs: index % 5 === 3 ? null : index,
      inRate: 0,
      outRate: 0,
    },
  }));
  const at = new Date();
  for (const { link, ...sample } of samples) {
    await keepMeasures(world.pools, [{ ...sample, turn: 1, link: { ...link, id: one } }], at);
  }
  await keepMeasures(
    world.pools,
    samples.map(({ link, ...sample }, index) => ({
      ...sample,
      turn: index + 1,
      link: { ...link, id: together },
    })),
    at,
  );
  const [kept] = await windowOf(one);
  expect(kept).toMatchObject({ past_loss: expect.arrayContaining([expect.any(Number)]) });
  expect(await windowOf(together)).toEqual([kept]);
});

test("what stands counts in each write until it ends, and what is sent once counts once", () => {
  let now = 0;
  const buffer = new MeasureBuffer(() => now);
  const takenAt = (ms: number) => {
    now = ms;
    return buffer
      .take()
      .flat()
      .map(({ link, ageMs, isRepeated }) => [link.id, ageMs, isRepeated]);
  };
  buffer.add(1, [measure(1), measure(2)], 16_000);
  buffer.add(1, [measure(3)]);
  buffer.add(2, [measure(4)], 16_000);
  const sent = [1, 2, 3, 4];
  expect(takenAt(5_000)).toEqual(sent.map((id) => [id, 5_000, false]));
  expect(takenAt(10_000)).toEqual([1, 2, 4].map((id) => [id, 10_000, true]));
  // A link that goes up or down, one that is sent without a time, and a device that goes.
  buffer.outdate(1, [{ id: 1 }]);
  buffer.add(1, [measure(2)]);
  expect(takenAt(15_000)).toEqual([
    [4, 15_000, true],
    [2, 5_000, false],
  ]);
  buffer.add(1, [measure(1)], 16_000);
  buffer.ended(2);
  expect(takenAt(20_000)).toEqual([[1, 5_000, false]]);
  expect(takenAt(30_999)).toEqual([[1, 15_999, true]]);
  expect(takenAt(31_000)).toEqual([]);
});

test("what a device said of standing links is bounded", () => {
  const buffer = new MeasureBuffer(() => 0);
  const links = Array.from({ length: 20_000 }, (_, at) => measure(at + 1));
  buffer.add(1, links, 30_000);
  buffer.take();
  expect(() => buffer.add(1, [measure(20_001)], 30_000)).toThrow("too many links");
  expect(buffer.take()).toEqual([]);
});

test("what stands dates its link anew, and says nothing against a transition that came since", async () => {
  const [near, far] = [await held(), await held()];
  const [stands, fell] = [await linkOf(near, far), await linkOf(near, far)];
  const start = Date.now() - 60_000;
  const sample = (id: number, more = {}) => ({
    node: near.edge.node,
    ageMs: 0,
    isOutdated: false,
    isRepeated: false,
    turn: 1,
    link: measure(id),
    ...more,
  });
  const stateOf = () =>
    query(sql<{ up: boolean; at: Date }>`select up, at from link_status
      where link_id in (${stands}, ${fell}) order by link_id`);
  await keepMeasures(world.pools, [sample(stands), sample(fell)], new Date(start));
  // Reported to another gateway, which knows nothing of what stands here.
  far.line.send({ type: "transition", links: [{ id: fell, up: false }] });
  await ponged(far);
  const [, fallenBefore] = await stateOf();
  expect(fallenBefore?.up).toBe(false);
  const again = { ageMs: 120_000, isRepeated: true };
  await keepMeasures(
    world.pools,
    [sample(stands, again), sample(fell, again)],
    new Date(start + 120_000),
  );
  const [standing, fallen] = await stateOf();
  expect(standing).toEqual({ up: true, at: new Date(start + 120_000) });
  expect(fallen).toEqual(fallenBefore);
  expect(await windowOf(fell)).toMatchObject([{ samples: 1 }]);
});

test("of a device whose connection ends nothing stands", async () => {
  const time = new ManualClock();
  const times = { clock: time, heartbeatSeconds: 3_600, measuresMs: 5_000 };
  const beside = await world.gatewayBeside(times);
  const [leaves, stays] = [await held(beside.url), await held(beside.url)];
  const [left, stayed] = [await linkOf(leaves, stays), await linkOf(stays, leaves)];
  for (const [{ line }, id] of [
    [leaves, left],
    [stays, stayed],
  ] as const) {
    line.send({ type: "measures", standMs: 60_000, links: [measure(id)] });
  }
  await ponged(leaves);
  await ponged(stays);
  const dates = async () => {
    const rows = await query(sql<{ id: number; at: string }>`
      select link_id as id, at::text from link_status where link_id in (${left}, ${stayed})`);
    return new Map(rows.map(({ id, at }) => [id, at]));
  };
  time.advance(5_000);
  await eventually(async () => (await dates()).size === 2, "the measures");
  const before = await dates();
  leaves.line.socket.close();
  const isOffline = async () => {
    const rows = await query(sql<{ online: boolean }>`
      select online from node_status where node_id = ${leaves.edge.node}`);
    return rows[0]?.online === false;
  };
  await eventually(isOffline, "it is gone");
  time.advance(5_000);
  await eventually(async () => (await dates()).get(stayed) !== before.get(stayed), "a write");
  expect((await dates()).get(left)).toBe(before.get(left));
});
