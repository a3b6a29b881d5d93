/** What is under way for a CPE when it moves to another enterprise ends with the move. */
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { enrolmentReject } from "@weft/contract/domains/devices/enrolment.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takeCommands } from "#domains/devices/command/pending-command-store.ts";
import { type Line, runningOf } from "../../../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { takeNext } from "../../../../test/one-node.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

const patience = 60_000;
let world: LoopWorld;
const enterprises = { former: 0, owner: 0 };
/** Confirmed its newest state. */
let settled: Site;
/** Has one that no device took. */
let waiting: Site;

const rows = async <Row>(text: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await text.execute(world.pools.owner.db)).rows;
const compiled = ({ id }: Site) =>
  eventually(async () => !(await world.stateOf(id)).compiling, "all is compiled", patience);
const connect = async (site: Site): Promise<Line> => {
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  line.send(edge.report({ running: null }));
  const { head } = await line.next("head", patience);
  expect(await edge.confirm(head)).toMatchObject({ status: 200 });
  line.send({ type: "heartbeat", running: runningOf(head), drift: null });
  return line;
};
/** Ends what keeps a device in its enterprise. */
const reject = async ({ id }: Site) => {
  const [device] = await rows(sql<{ id: number }>`
    select id from weft.node_identity where node_id = ${id} and state = 'approved'`);
  await world.post(enrolmentReject.path, { ids: String(device?.id) });
};
const move = async (site: Site, name: string) => {
  const ids = { groupid: enterprises.owner, cpeId: site.id, popId: 0 };
  const named = { alias: name, sn: site.sn, id: site.id };
  await world.post(cpe.ops.edit.path, wireDraft("cpe", "valid", ids, named));
};
const command = (site: Site, status: string) =>
  rows(sql`insert into weft.node_command
      (enterprise_id, node_id, what, timeout_ms, status, created_by, expires_at)
    values (${enterprises.former}, ${site.id},
      '{"kind":"ping","host":"10.50.1.9","count":4,"fields":{"secret":"1"}}', 30000, ${status}, 1,
      now() + interval '10 minutes')`);

beforeAll(async () => {
  world = await loopWorld({ pollMs: 100, settleMs: 150 });
  await world.startWorker();
  for (const name of ["former", "owner"] as const) {
    const ids = { groupid: 1, cpeId: 0, popId: 0 };
    const draft = wireDraft("enterprise", "valid", ids, { name, parentId: 1 });
    enterprises[name] = newIdOf(
      await world.api.post("/customer/enterprise/add", draft, world.admin),
    );
  }
  settled = await world.addSite({ groupid: enterprises.former });
  waiting = await world.addSite({ groupid: enterprises.former });
  for (const site of [settled, waiting]) await compiled(site);
  const line = await connect(settled);
  await eventually(
    async () => (await world.stateOf(settled.id)).desired?.outcome === "confirmed",
    "the state is confirmed",
    patience,
  );
  line.socket.terminate();
  await reject(settled);
  for (const site of [settled, waiting]) {
    await compiled(site);
    await command(site, "waiting");
    await command(site, "sent");
  }
  // From here on nothing compiles: the new enterprise's first state is late.
  await world.worker?.close();
  world.worker = null;
  await move(settled, "settled");
  await move(waiting, "waiting");
}, 120_000);
afterAll(() => world.close());

test("a device of the new enterprise is sent no state of the former one, however late its own is", async () => {
  for (const site of [settled, waiting]) {
    const edge = await world.enrolled(site);
    const line = await edge.connect();
    line.send(edge.report({ running: null }));
    await eventually(
      async () => (await world.stateOf(site.id)).capabilities.length > 0,
      "its report is kept",
      patience,
    );
    const view = { running: null, sent: null, isSettled: true };
    expect(await takeNext(world.pools, site.id, view, world.times)).toBeNull();
    line.socket.terminate();
  }
});

test("states and tasks that were not over have ended, and what was confirmed stays so", async () => {
  const ids = [settled.id, waiting.id];
  expect(
    await rows(sql`select distinct outcome from weft.node_state
      where node_id = any (${ids}::bigint[]) order by 1`),
  ).toEqual([{ outcome: "confirmed" }, { outcome: "superseded" }]);
  expect(
    await rows(sql`select count(*)::int as open from weft.task
      where node_id = any (${ids}::bigint[]) and status in (0, 4)`),
  ).toEqual([{ open: 0 }]);
});

test("commands of the former enterprise have expired with the reason, and no device takes them", async () => {
  for (const { id } of [settled, waiting]) {
    const found = await rows<{ status: string; reason: string; what: object }>(
      sql`select status, reason, what from weft.node_command where node_id = ${id}`,
    );
    expect(found).toHaveLength(2);
    for (const one of found) {
      expect(one).toMatchObject({ status: "expired", reason: expect.stringMatching(/moved/) });
      expect(one.what).not.toHaveProperty("fields");
    }
    const [status] = await rows<{ epoch: number }>(
      sql`select session_epoch as epoch from weft.node_status where node_id = ${id}`,
    );
    expect(await takeCommands(world.pools, [{ node: id, epoch: status?.epoch ?? 0 }])).toEqual([]);
  }
});

test("nothing that was found about it in the former enterprise is left", async () => {
  const ids = [settled.id, waiting.id];
  for (const table of ["node_finding", "policy_finding", "node_health"])
    expect(
      await rows(sql`select node_id from ${sql.table(`weft.${table}`)}
        where node_id = any (${ids}::bigint[])`),
    ).toEqual([]);
});

test("the first state of the new enterprise goes to its device", async () => {
  await world.startWorker();
  for (const site of [settled, waiting]) {
    const edge = await world.enrolled(site);
    const line = await edge.connect();
    line.send(edge.report({ running: null }));
    const { head } = await line.next("head", patience);
    expect(await edge.confirm(head)).toMatchObject({ status: 200 });
    line.socket.terminate();
  }
});
