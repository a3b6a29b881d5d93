import type { StateHead } from "@weft/contract/device/v1/state.ts";
import {
  stateDifference,
  stateGoBack,
  stateList,
  stateRelease,
  stateSend,
} from "@weft/contract/domains/delivery/history.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type FakeEdge, type Line, runningOf } from "../../../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { wireDraft } from "../../../../test/tenants.ts";

const patience = 60_000;
let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld({ pollMs: 100, settleMs: 150 });
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

const open: Line[] = [];
afterEach(() => {
  for (const line of open.splice(0)) line.socket.terminate();
});
const query = <Row>(text: ReturnType<typeof sql<Row>>) =>
  inScope(world.pools.apiAll, { kind: "all" }, async (trx) => (await text.execute(trx)).rows);
const compiled = ({ id }: Site) =>
  eventually(async () => !(await world.stateOf(id)).compiling, "all is compiled", patience);
const addLan = (site: Site, third: number) => world.addLan(site, third);
const addLans = async (site: Site, count: number) => {
  for (let third = 1; third <= count; third += 1) await addLan(site, third);
  await compiled(site);
};
const listOf = async (site: Site, more: object = {}, token = world.admin) => {
  const answer = await world.api.get(
    stateList.path,
    { id: site.id, page: 1, limit: 10, ...more },
    token,
  );
  return { ...answer, data: answer.data as OutputOf<typeof stateList> };
};
const differenceOf = async (site: Site, from: number | "", to: number | "") => {
  const answer = await world.api.get(stateDifference.path, { id: site.id, from, to }, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as OutputOf<typeof stateDifference>;
};
/** Confirms whatever comes until the newest state runs, with all that was changed before. */
const confirmAll = async (site: Site, edge: FakeEdge, line: Line): Promise<number> => {
  for (;;) {
    const { head } = await line.next("head", patience);
    expect(await edge.confirm(head)).toMatchObject({ status: 200 });
    line.send({ type: "heartbeat", running: runningOf(head), drift: null });
    await compiled(site);
    if (head.serial === (await world.stateOf(site.id)).desired?.serial) return head.serial;
  }
};
const connected = async (site: Site) => {
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  open.push(line);
  line.send(edge.report({ running: null }));
  return { edge, line, serial: await confirmAll(site, edge, line) };
};
/** Has the gateway evaluate now what to send to the device, which is nothing. */
const isSentNothing = async (line: Line, edge: FakeEdge, serial: number): Promise<void> => {
  const [row] = await query(sql<StateHead>`select epoch, serial, sections from node_state
    where node_id = ${edge.node} and serial = ${serial}`);
  line.send({ type: "heartbeat", running: row ? runningOf(row) : null, drift: null });
  await line.nothingCame();
};
/** Rows that go without a call, and a change that does not mention it. */
const loseLans = async (site: Site) => {
  await query(sql`delete from lan_section where node_id = ${site.id}`);
  await query(sql`insert into change (enterprise_id, node_ids, cause, created_by)
    values (1, array[${site.id}]::bigint[], 'edge: report', 0)`);
  await query(sql`notify weft_change`);
  await eventually(
    async () => (await world.stateOf(site.id)).desired?.outcome === "held",
    "the state is held",
    patience,
  );
};

describe("the list of states", () => {
  test("shows who did what to which object, and the outcome", async () => {
    const site = await world.addSite();
    await compiled(site);
    await addLan(site, 1);
    await compiled(site);
    const { line, serial } = await connected(site);
    // What the device reported may be a state of its own, before the one that is looked at here.
    await compiled(site);
    await addLan(site, 2);
    await compiled(site);
    const newest = (await world.stateOf(site.id)).desired?.serial;
    let { head } = await line.next("head", patience);
    while (head.serial !== newest) ({ head } = await line.next("head", patience));
    line.send({
      type: "outcome",
      epoch: head.epoch,
      serial: head.serial,
      outcome: "failed",
      reason: "no such interface",
    });
    await eventually(
      async () => (await world.stateOf(site.id)).blocked !== null,
      "it failed",
      patience,
    );
    const { data, count } = await listOf(site);
    expect(count).toBe(data.length);
    expect(data[0]).toMatchObject({
      serial: head.serial,
      outcome: "failed",
      reason: "no such interface",
      running: false,
      // What the device reported may fall into the same compile.
      causes: expect.arrayContaining([
        expect.objectContaining({
          by: "admin",
          action: "lansection.add",
          module: "lansection",
          rowName: "10.50.2.1/24",
        }),
      ]),
    });
    const confirmed = await listOf(site, { outcome: "confirmed" });
    expect(confirmed.data).toEqual([expect.objectContaining({ serial, running: true })]);
    expect((await listOf(site, { page: 2, limit: 1 })).data[0]?.serial).toBe(serial);
  });

  test("of several changes in one compile shows all of them", async () => {
    const site = await world.addSite();
    await compiled(site);
    await world.worker?.close();
    await addLan(site, 1);
    await addLan(site, 2);
    await world.startWorker();
    await compiled(site);
    expect((await listOf(site)).data[0]?.causes.map(({ rowName }) => rowName)).toEqual([
      "10.50.1.1/24",
      "10.50.2.1/24",
    ]);
  });

  test("needs the permission to configure, and a node in scope", async () => {
    const site = await world.addSite();
    await compiled(site);
    const user = (permissions: Permission[], enterpriseId = 1) =>
      world.api.userToken({ enterpriseId, dataScope: 1, permissions });
    expect(await listOf(site, {}, await user(["cpeConfig"]))).toMatchObject({ code: 0 });
    expect(await listOf(site, {}, await user(["popConfig"]))).toMatchObject({ code: 403 });
    const draft = { ...site, id: 987_654 };
    expect(await listOf(draft)).toMatchObject({ code: 404 });
  });
});

describe("the difference", () => {
  test("of two states, of the running one and what is not sent, and of a state with itself", async () => {
    const site = await world.addSite();
    await addLans(site, 1);
    const { serial } = await connected(site);
    await world.worker?.close();
    await addLan(site, 2);
    const pending = await differenceOf(site, "", "");
    expect([pending.from, pending.to]).toEqual([serial, null]);
    expect(pending.objects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          section: "underlay",
          kind: "lan",
          key: "lan2 0 10.50.2.0/24",
          change: "added",
          fields: expect.arrayContaining([
            { field: "addresses", old: null, new: ["10.50.2.1/24"] },
          ]),
        }),
      ]),
    );
    expect(pending.count).toBe(pending.objects.length);
    await world.startWorker();
    await compiled(site);
    const newest = (await world.stateOf(site.id)).desired?.serial ?? 0;
    expect(newest).toBeGreaterThan(serial);
    // What was foretold is what was compiled.
    const sent = await differenceOf(site, serial, newest);
    const inOrder = ({ objects }: typeof sent) =>
      objects.map((object) => ({
        ...object,
        fields: object.fields.toSorted((a, b) => a.field.localeCompare(b.field)),
      }));
    expect(inOrder(sent)).toEqual(inOrder(pending));
    expect(await differenceOf(site, newest, newest)).toMatchObject({ count: 0, objects: [] });
    const unknown = { id: site.id, from: 98_765, to: "" };
    expect(await world.api.get(stateDifference.path, unknown, world.admin)).toMatchObject({
      code: 404,
    });
  });
});

describe("a state that removes more than its changes account for", () => {
  test("is sent only after an operator releases it, which is recorded", async () => {
    const site = await world.addSite();
    await addLans(site, 12);
    const { line, edge, serial } = await connected(site);
    await loseLans(site);
    await isSentNothing(line, edge, serial);
    const held = (await world.stateOf(site.id)).desired?.serial ?? 0;
    const shown = await differenceOf(site, "", held);
    expect(
      shown.objects.filter(({ kind, change }) => kind === "lan" && change === "removed"),
    ).toHaveLength(12);
    const send = (asked: number) =>
      world.api.post(stateSend.path, { id: site.id, serial: asked }, world.admin);
    expect(await send(serial)).toMatchObject({ code: 412 });
    expect(await send(held)).toMatchObject({ code: 0 });
    expect(await confirmAll(site, edge, line)).toBe(held);
    expect(await send(held)).toMatchObject({ code: 422 });
    const [audit] = await query(sql<{ n: number }>`select count(*)::int as n from audit
      where action = 'nodeState.send' and row_id = ${site.id}`);
    expect(audit?.n).toBe(1);
    expect((await listOf(site)).data[0]).toMatchObject({ serial: held, outcome: "confirmed" });
  });

  test("is replaced by the next one when the rows are back", async () => {
    const site = await world.addSite();
    await addLans(site, 12);
    const { line, edge, serial } = await connected(site);
    await loseLans(site);
    const held = (await world.stateOf(site.id)).desired?.serial ?? 0;
    await addLans(site, 12);
    const newest = await confirmAll(site, edge, line);
    expect(newest).toBeGreaterThan(serial);
    expect((await differenceOf(site, serial, newest)).objects).toEqual([]);
    const states = (await listOf(site, { limit: 40 })).data;
    expect(states.find((state) => state.serial === held)).toMatchObject({
      outcome: "superseded",
      deliverTime: null,
    });
  });

  test("does not wait when people removed the rows", async () => {
    const site = await world.addSite();
    await addLans(site, 12);
    const { line, edge } = await connected(site);
    const rows = await query(
      sql<{ id: number }>`select id from lan_section where node_id = ${site.id}`,
    );
    await world.post("/customer/lansection/remove", { ids: rows.map(({ id }) => id).join(",") });
    await confirmAll(site, edge, line);
    expect((await listOf(site)).data[0]).toMatchObject({ outcome: "confirmed" });
  });
});

describe("a rollback", () => {
  const goBack = (site: Site, serial: number) =>
    world.api.post(stateGoBack.path, { id: site.id, serial }, world.admin);
  const lansOf = async (site: Site, serial: number) => {
    const shown = await differenceOf(site, serial, "");
    return shown.objects
      .filter(({ kind }) => kind === "lan")
      .map(({ key, change }) => [key, change]);
  };

  test("makes a new state of the old one and holds it until it is released", async () => {
    const site = await world.addSite();
    await addLans(site, 1);
    const { line, edge, serial: first } = await connected(site);
    await addLan(site, 2);
    const second = await confirmAll(site, edge, line);
    expect(await goBack(site, first)).toMatchObject({ code: 0 });
    const third = await confirmAll(site, edge, line);
    expect(third).toBeGreaterThan(second);
    expect((await differenceOf(site, first, third)).objects).toEqual([]);
    expect((await listOf(site)).data[0]).toMatchObject({
      serial: third,
      restores: first,
      outcome: "confirmed",
      causes: [{ by: "admin", action: "nodeState.goBack", rowId: site.id }],
    });
    expect((await world.stateOf(site.id)).heldAt).toMatchObject({ serial: first, by: "admin" });
    // Intent goes on, and stays a difference.
    await addLan(site, 3);
    await compiled(site);
    await isSentNothing(line, edge, third);
    expect((await world.stateOf(site.id)).desired?.serial).toBe(third);
    expect(await lansOf(site, third)).toEqual([
      ["lan2 0 10.50.2.0/24", "added"],
      ["lan3 0 10.50.3.0/24", "added"],
    ]);
    await world.post(stateRelease.path, { id: site.id });
    const last = await confirmAll(site, edge, line);
    expect(await lansOf(site, last)).toEqual([]);
    expect((await world.stateOf(site.id)).heldAt).toBeNull();
    const again = { id: site.id };
    expect(await world.api.post(stateRelease.path, again, world.admin)).toMatchObject({
      code: 422,
    });
    const audits = await query(sql<{ action: string }>`select action from audit
      where resource = 'nodeState' and row_id = ${site.id} order by id`);
    expect(audits.map(({ action }) => action)).toEqual(["nodeState.goBack", "nodeState.release"]);
  });

  test("is offered only where it changes something, and holds no node otherwise", async () => {
    const site = await world.addSite();
    await addLans(site, 1);
    const { line, edge, serial: first } = await connected(site);
    const ids = { groupid: 1, cpeId: site.id, popId: 0 };
    const entry = { type: "ip", value: "203.0.113.66" };
    await world.post(blacklist.ops.add.path, wireDraft("blacklist", "valid", ids, entry));
    const second = await confirmAll(site, edge, line);
    expect(second).toBeGreaterThan(first);
    const offered = async () =>
      new Map((await listOf(site)).data.map((row) => [row.serial, Boolean(row.goesBack)]));
    expect((await offered()).get(first)).toBe(false);
    const refused = await goBack(site, first);
    expect(refused).toMatchObject({ code: 422 });
    expect(refused.msg).toContain("ACL");
    expect((await world.stateOf(site.id)).heldAt).toBeNull();
    await addLan(site, 2);
    await confirmAll(site, edge, line);
    expect((await offered()).get(second)).toBe(true);
    expect(await goBack(site, second)).toMatchObject({ code: 0 });
    expect((await world.stateOf(site.id)).heldAt).toMatchObject({ serial: second });
  });

  test("to a state that was never confirmed is refused, and so is one that is not there", async () => {
    const site = await world.addSite();
    await addLans(site, 1);
    const newest = (await world.stateOf(site.id)).desired?.serial ?? 0;
    expect(await goBack(site, newest)).toMatchObject({ code: 422 });
    expect(await goBack(site, 98_765)).toMatchObject({ code: 404 });
  });

  test("is refused when another site of the space has the network now, which it names", async () => {
    const [site, other] = [await world.addSite(), await world.addSite()];
    await addLans(site, 1);
    const { line, edge, serial } = await connected(site);
    const [row] = await query(
      sql<{ id: number }>`select id from lan_section where node_id = ${site.id}`,
    );
    await world.post("/customer/lansection/remove", { ids: row?.id });
    await confirmAll(site, edge, line);
    await addLans(other, 1);
    await query(sql`with space as (insert into net_space (enterprise_id, name, topology, created_by)
        values (1, ${`net-${site.id}`}, 0, 1) returning id)
      insert into space_member (enterprise_id, space_id, node_id, node_enterprise_id, kind)
      select 1, space.id, n, 1, 'cpe' from space, unnest(array[${site.id}, ${other.id}]::bigint[]) n`);
    const refused = await goBack(site, serial);
    expect(refused).toMatchObject({ code: 422 });
    expect(refused.msg).toContain("10.50.1.1/24");
    expect((await world.stateOf(site.id)).heldAt).toBeNull();
  });
});

describe("drift", () => {
  test("shows its exact steps, since when, and when it was gone", async () => {
    const site = await world.addSite();
    await addLans(site, 1);
    const { line, serial } = await connected(site);
    const [row] = await query(sql<{ digest: string }>`select digest from node_state
      where node_id = ${site.id} and serial = ${serial}`);
    const heartbeat = (drift: object | null) =>
      line.send({
        type: "heartbeat",
        drift,
        running: { epoch: 1, serial, digest: row?.digest },
      });
    const driftOf = async () => (await world.stateOf(site.id)).drift;
    const plan = ["tunnel: set link wl1", "routing: add neighbor"];
    heartbeat({ steps: 2, hash: "a".repeat(64), plan });
    const found = await eventually(driftOf, "the drift is shown", patience);
    expect(found).toMatchObject({ plan, endTime: null });
    // Not measured for a moment: what is known stays.
    heartbeat(null);
    heartbeat({ steps: 0, hash: "b".repeat(64) });
    await eventually(async () => (await driftOf())?.endTime !== null, "it is gone", patience);
    expect(await driftOf()).toMatchObject({ plan, since: found.since });
  });
});
