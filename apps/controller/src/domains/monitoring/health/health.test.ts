/** Health from what devices and people do to what lists, counts and filters say. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { enrolmentApprove } from "@weft/contract/domains/devices/enrolment.ts";
import {
  type HealthTone,
  healthCounts,
  healthStates,
} from "@weft/contract/domains/devices/health.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runningOf } from "../../../../test/fake-edge.ts";
import { type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

type Row = RowOf<typeof cpe>;
const get = async (path: string, query: object) => {
  const answer = await world.api.get(path, query, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer;
};
const rowsOf = async (query: object = {}): Promise<Row[]> => {
  const order = { orderByColumn: "health", isAsc: "asc", page: 1, limit: 100 };
  return (await get(cpe.ops.list.path, { ...order, ...query })).data as Row[];
};
const healthIn = async ({ id }: Site) => (await rowsOf()).find((row) => row.id === id)?.health;
const isCalled = (site: Site, state: string) => expect.poll(() => healthIn(site)).toBe(state);

test("the state follows a site from its row to its first configuration, and away from it", async () => {
  const site = await world.addSite();
  await isCalled(site, "unclaimed");
  const edge = world.edge(site.sn);
  const claim = await world.claim(site.id, false);
  expect((await edge.enrol(claim)).status).toBe(200);
  await isCalled(site, "pending");
  const pending = (await get("/customer/enrolment/list", { page: 1, limit: 10 })).data as {
    id: number;
    nodeId: number;
  }[];
  const waiting = pending.find(({ nodeId }) => nodeId === site.id);
  await world.post(enrolmentApprove.path, { ids: [waiting?.id] });
  await isCalled(site, "unseen");
  await edge.enrol(claim);
  const line = await edge.connect();
  line.send(edge.report());
  const { head } = await line.seek("head");
  await isCalled(site, "comingUp");
  const { epoch, serial } = head;
  line.send({ type: "need", epoch, serial, sections: Object.values(head.sections) });
  await line.seek("sections");
  line.send({ type: "outcome", epoch, serial, outcome: "applied", reason: null });
  expect((await edge.confirm(head)).status).toBe(200);
  const drift = { steps: 0, hash: "0".repeat(64) };
  line.send({ type: "heartbeat", running: runningOf(head), drift });
  await isCalled(site, "online");
  line.send({ type: "heartbeat", running: runningOf(head), drift: { ...drift, steps: 3 } });
  await isCalled(site, "drifted");
  const [row] = await rowsOf({ tone: "warn" });
  expect(row).toMatchObject({ id: site.id, healthDetail: { count: 3 } });
  line.socket.close();
  await isCalled(site, "offline");
}, 60_000);

test("lists begin with what their head counts as bad, and a filter shows exactly these", async () => {
  const sites = [await world.addSite(), await world.addSite({ enable: false })];
  for (const site of sites) await isCalled(site, sites[0] === site ? "unclaimed" : "disabled");
  const rows = await rowsOf();
  const { data } = await get(healthCounts.path, { classType: "cpe" });
  const counts = data as Record<HealthTone, number>;
  for (const [tone, count] of Object.entries(counts)) {
    const ofTone = rows.filter(({ health }) => health !== null && healthStates[health] === tone);
    expect([tone, ofTone.length]).toEqual([tone, count]);
    expect((await rowsOf({ tone })).map(({ id }) => id)).toEqual(ofTone.map(({ id }) => id));
  }
  const bad = rows.slice(0, counts.bad).map(({ health }) => health && healthStates[health]);
  expect(bad).toEqual(Array(counts.bad).fill("bad"));
  expect(counts.bad).toBeGreaterThan(0);
});

test("another state reaches screens", async () => {
  const site = await world.addSite();
  await isCalled(site, "unclaimed");
  const { rows } = await world.pools.worker.pg.query<{ name: string }>(
    "select name from weft.transition where kind = 'health' and node_id = $1 order by sequence",
    [site.id],
  );
  expect(rows.map(({ name }) => name)).toEqual(["unclaimed"]);
});
