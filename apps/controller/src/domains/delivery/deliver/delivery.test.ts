import type { StateHead } from "@weft/contract/device/v1/state.ts";
import { nodeState, stateRetry } from "@weft/contract/domains/delivery/node-state.ts";
import { taskCancel, taskList } from "@weft/contract/domains/delivery/task.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type FakeEdge, type Line, runningOf } from "../../../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { ManualClock } from "../../../../test/manual-clock.ts";
import { takeNext } from "../../../../test/one-node.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld({ pollMs: 100, settleMs: 0 });
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

const open: Line[] = [];
afterEach(() => {
  for (const line of open.splice(0)) line.socket.terminate();
});
const query = <Row>(text: ReturnType<typeof sql<Row>>) =>
  inScope(world.pools.apiAll, { kind: "all" }, async (trx) => (await text.execute(trx)).rows);
const connect = async (edge: FakeEdge, head: StateHead | null = null): Promise<Line> => {
  const line = await edge.connect();
  open.push(line);
  line.send(edge.report({ running: head && runningOf(head) }));
  return line;
};
const quietly = async (id: number) =>
  eventually(async () => !(await world.stateOf(id)).compiling, "all is compiled");
interface Up {
  readonly site: Site;
  readonly edge: FakeEdge;
  readonly line: Line;
  readonly head: StateHead;
}
/** A device that was sent its first state. */
const sent = async (): Promise<Up> => {
  const site = await world.addSite();
  const edge = await world.enrolled(site);
  await quietly(site.id);
  const line = await connect(edge);
  const { head } = await line.next("head");
  await quietly(site.id);
  return { site, edge, line, head };
};
/** A device that runs its first state. */
const running = async (): Promise<Up> => {
  const up = await sent();
  expect(await up.edge.confirm(up.head)).toMatchObject({ status: 200 });
  up.line.send({ type: "heartbeat", running: runningOf(up.head), drift: null });
  return up;
};
let interfaces = 0;
/** Makes a newer state of the node. */
const edit = async ({ id }: Site): Promise<void> => {
  interfaces += 1;
  await world.post("/customer/lansection/add", {
    nCpeID: id,
    interfaceName: `lan${interfaces}`,
    network: `10.${interfaces}.1.1/24`,
    network6: "",
    vlan: "",
    enableForward: 1,
    enableDirect: 1,
    remark: "",
  });
  await quietly(id);
};
/** Has the gateway evaluate now what to send to the device, which is nothing. */
const isSentNothing = async (line: Line, head: StateHead | null = null): Promise<void> => {
  line.send({ type: "heartbeat", running: head && runningOf(head), drift: null });
  await line.nothingCame();
};
/** As if the state had ended so much earlier. */
const age = (site: Site, { serial }: StateHead, minutes: number) =>
  sql`update weft.node_state set ended_at = ended_at - ${minutes} * interval '1 minute'
    where node_id = ${site.id} and serial = ${serial}`.execute(world.pools.owner.db);
const outcome = (head: StateHead, result: string, more: object = {}) => ({
  type: "outcome",
  epoch: head.epoch,
  serial: head.serial,
  outcome: result,
  reason: null,
  ...more,
});
const rowOf = async ({ id }: Site, serial: number) => {
  const [row] = await query(sql<{
    outcome: string;
    reason: string | null;
    retries: number;
    status: number;
  }>`
    select s.outcome, s.reason, s.retries, t.status from node_state s
    join task t on t.node_id = s.node_id and t.serial = s.serial
    where s.node_id = ${id} and s.serial = ${serial}`);
  return row;
};
const became = (site: Site, serial: number, result: string) =>
  eventually(async () => (await rowOf(site, serial))?.outcome === result, `${serial} is ${result}`);
const refusedAs = (reason: string) => ({ status: 403, body: { type: "refused", reason } });

describe("a confirmation", () => {
  test("on a new connection is committed, signed, and the same again", async () => {
    const { site, edge, line, head } = await sent();
    expect(await rowOf(site, head.serial)).toMatchObject({ outcome: "delivered", status: 4 });
    line.send(outcome(head, "applied"));
    await became(site, head.serial, "applied");
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await edge.confirm(head)).toMatchObject({
        status: 200,
        body: { serial: head.serial },
      });
    }
    expect(await rowOf(site, head.serial)).toMatchObject({ outcome: "confirmed", status: 1 });
    expect(await world.stateOf(site.id)).toMatchObject({
      online: true,
      runningSerial: head.serial,
    });
  });

  test("keeps what does not act on the device, and shows it until it does", async () => {
    const { site, edge, line, head } = await sent();
    const lan5 = { section: "underlay", kind: "lan", object: "lan5", reason: "noInterface" };
    const findings = [{ ...lan5, params: {} }];
    line.send(outcome(head, "applied", { findings }));
    await became(site, head.serial, "applied");
    await edge.confirm(head);
    expect(await rowOf(site, head.serial)).toMatchObject({ outcome: "confirmed", status: 1 });
    expect((await world.stateOf(site.id)).findings).toEqual(findings);
    // The interface was plugged in: reported for the state that runs, which stays confirmed.
    line.send(outcome(head, "applied", { findings: [] }));
    await eventually(
      async () => (await world.stateOf(site.id)).findings.length === 0,
      "nothing is left out",
    );
    expect(await rowOf(site, head.serial)).toMatchObject({ outcome: "confirmed", status: 1 });
  });

  test("on the open socket is the same", async () => {
    const { site, edge, line, head } = await sent();
    line.send({ type: "confirm", ...edge.confirmation(head) });
    expect(await line.next("confirmed")).toMatchObject({ serial: head.serial });
    expect(await rowOf(site, head.serial)).toMatchObject({ outcome: "confirmed", status: 1 });
  });

  test("of another digest, an unknown or unsent state, or another's node is refused", async () => {
    const [{ site, edge, head }, other] = [await sent(), await sent()];
    const wrong = { ...head, sections: { ...head.sections, node: "0".repeat(64) } };
    expect(await edge.confirm(wrong)).toMatchObject(refusedAs("notYours"));
    expect(await edge.confirm({ ...head, serial: 99 })).toMatchObject(refusedAs("notYours"));
    await edit(site);
    const { serial } = (await world.stateOf(site.id)).desired ?? { serial: 0 };
    const [unsent] = await query(sql<StateHead>`
      select epoch, serial, sections from node_state where node_id = ${site.id} and serial = ${serial}`);
    expect(await edge.confirm(unsent as StateHead)).toMatchObject(refusedAs("notYours"));
    const own = edge.node;
    edge.node = other.edge.node;
    expect(await edge.confirm(other.head)).toMatchObject(refusedAs("badSignature"));
    edge.node = 987_654;
    expect(await edge.confirm(head)).toMatchObject(refusedAs("unknownNode"));
    edge.node = own;
    expect(await edge.confirm(head, { signature: "A".repeat(86) })).toMatchObject(
      refusedAs("badSignature"),
    );
    expect(await edge.confirm(head, { more: 1 })).toMatchObject(refusedAs("badMessage"));
    other.line.send({ type: "confirm", ...edge.confirmation(head) });
    expect(await other.line.next("refused")).toMatchObject({ reason: "notYours" });
    expect(await rowOf(site, head.serial)).toMatchObject({ outcome: "delivered" });
    expect(await rowOf(other.site, other.head.serial)).toMatchObject({ outcome: "delivered" });
  });

  test("of a state that was rolled back comes too late", async () => {
    const { site, edge, line, head } = await sent();
    line.send(outcome(head, "reverted", { reason: "no commit confirmation" }));
    await became(site, head.serial, "reverted");
    expect(await edge.confirm(head)).toMatchObject(refusedAs("notYours"));
    expect(await rowOf(site, head.serial)).toMatchObject({ outcome: "reverted", status: 2 });
  });

  test("whose answer was lost is replaced by what the device reports", async () => {
    const { site, edge, line, head } = await sent();
    await edge.confirm(head);
    line.send(outcome(head, "reverted", { reason: "no commit confirmation" }));
    await became(site, head.serial, "reverted");
  });
});

describe("delivery", () => {
  test("sends the newest only, and one unconfirmed at a time", async () => {
    const { site, edge, line, head } = await sent();
    await edit(site);
    await edit(site);
    await isSentNothing(line);
    await edge.confirm(head);
    const next = (await line.next("head")).head;
    expect(next.serial).toBe(head.serial + 2);
    expect(await rowOf(site, head.serial + 1)).toMatchObject({ outcome: "superseded", status: 3 });
    line.send(outcome(next, "failed", { reason: "nft refused it" }));
    await edit(site);
    const last = (await line.next("head")).head;
    expect(last.serial).toBe(head.serial + 3);
    expect(await rowOf(site, next.serial)).toMatchObject({
      outcome: "failed",
      reason: "nft refused it",
      status: 2,
    });
  });

  test("costs a device that is up to date nothing", async () => {
    const { edge, line, head } = await running();
    line.socket.close();
    const again = await connect(edge, head);
    await isSentNothing(again, head);
  });

  test("gives a device that comes back one state, not a queue", async () => {
    const { site, edge, line, head } = await running();
    line.socket.close();
    await line.closed;
    await edit(site);
    await edit(site);
    const again = await connect(edge, head);
    expect((await again.next("head")).head.serial).toBe(head.serial + 2);
    await isSentNothing(again, head);
  });

  test("goes on where a gateway died between commit and send", async () => {
    const { site, edge, line, head } = await running();
    line.socket.close();
    await line.closed;
    await edit(site);
    const view = { running: runningOf(head), sent: null, isSettled: true };
    const taken = await takeNext(world.pools, site.id, view, world.times);
    expect(await rowOf(site, taken?.serial ?? 0)).toMatchObject({ outcome: "delivered" });
    // It was not sent. The device connects to another gateway.
    const again = await connect(edge, head);
    expect((await again.next("head")).head).toEqual(taken);
  });

  test("waits a moment for what a device has to report before it sends the same again", async () => {
    const { site, edge, line, head } = await sent();
    line.socket.close();
    await line.closed;
    const clock = new ManualClock();
    const settleMs = 2_000;
    const { url } = await world.gatewayBeside({ settleMs, clock });
    const again = await connect(edge.at(url));
    clock.advance(settleMs - 1);
    await isSentNothing(again);
    again.send(outcome(head, "reverted", { reason: "refused", unreachable: false }));
    await again.nothingCame();
    clock.advance(settleMs);
    await isSentNothing(again);
    expect(await world.stateOf(site.id)).toMatchObject({
      blocked: { outcome: "reverted", reason: "refused" },
    });
  });

  test("sends what was confirmed to a device that has lost it", async () => {
    const { site, edge, line, head } = await running();
    line.socket.close();
    await line.closed;
    const again = await connect(edge, null);
    expect((await again.next("head")).head).toEqual(head);
    expect(await edge.confirm(head)).toMatchObject({ status: 200 });
    expect(await rowOf(site, head.serial)).toMatchObject({ outcome: "confirmed" });
  });
});

describe("a state that was rolled back", () => {
  test("without a commit confirmation is sent once more after the pause, and then no more", async () => {
    const { site, line, head } = await sent();
    line.send(outcome(head, "reverted", { reason: "silence", unreachable: true }));
    await became(site, head.serial, "reverted");
    await age(site, head, 9);
    await isSentNothing(line);
    await age(site, head, 1);
    expect((await line.next("head")).head).toEqual(head);
    expect(await rowOf(site, head.serial)).toMatchObject({
      outcome: "delivered",
      retries: 1,
      status: 4,
    });
    line.send(outcome(head, "reverted", { reason: "silence", unreachable: true }));
    await line.nothingCame();
    await age(site, head, 60);
    await isSentNothing(line);
    expect((await world.stateOf(site.id)).blocked).toMatchObject({ serial: head.serial });
  });

  test("because its edge was stopped is sent once more sooner", async () => {
    const { site, line, head } = await sent();
    line.send(outcome(head, "reverted", { reason: "stopped", stopped: true }));
    await became(site, head.serial, "reverted");
    await isSentNothing(line);
    await age(site, head, 2);
    expect((await line.next("head")).head).toEqual(head);
  });

  test("for another reason waits for a newer one", async () => {
    const { site, line, head } = await sent();
    line.send(outcome(head, "reverted", { reason: "refused", unreachable: false }));
    await became(site, head.serial, "reverted");
    await age(site, head, 60);
    await isSentNothing(line);
    await edit(site);
    expect((await line.next("head")).head.serial).toBe(head.serial + 1);
  });

  test("or for an operator's command", async () => {
    const { site, line, head } = await sent();
    expect(await world.api.post(stateRetry.path, { id: site.id }, world.admin)).toMatchObject({
      code: 422,
    });
    line.send(outcome(head, "refused", { reason: "no such interface" }));
    await became(site, head.serial, "refused");
    await world.post(stateRetry.path, { id: site.id });
    expect((await line.next("head")).head).toEqual(head);
    expect(await rowOf(site, head.serial)).toMatchObject({
      outcome: "delivered",
      status: 4,
      retries: 1,
    });
    // What it reported before does not count for what it is sent now.
    line.send(outcome({ ...head, serial: head.serial + 7 }, "refused"));
    line.send(outcome(head, "applied"));
    await became(site, head.serial, "applied");
  });
});

describe("a task", () => {
  test("is listed, and cancelled as long as no device has pulled it", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    await quietly(site.id);
    const list = async () =>
      (await world.api.get(taskList.path, { cpeId: site.id }, world.admin)) as unknown as {
        data: { operId: number; status: number; serial: number; content: string }[];
        count: number;
      };
    const { data, count } = await list();
    expect(count).toBe(data.length);
    expect(data[0]).toMatchObject({ status: 0, serial: 1, content: "admin: cpe.insertNew" });
    await world.post(taskCancel.path, { operId: data[0]?.operId });
    expect((await list()).data[0]).toMatchObject({ status: 3 });
    const line = await connect(edge);
    // The report's change compiles the same state again: a cancelled one was never sent.
    const { head } = await line.next("head");
    expect(head.serial).toBe(2);
    const [pulled] = (await list()).data;
    expect(pulled).toMatchObject({ status: 4, serial: 2 });
    const late = await world.api.post(taskCancel.path, { operId: pulled?.operId }, world.admin);
    expect(late).toMatchObject({ code: 422 });
  });

  test("of another enterprise is not there", async () => {
    const { site } = await sent();
    const { data } = await world.post("/customer/enterprise/add", {
      name: "别家",
      parentId: 1,
      enterpriseType: 0,
      isAgent: 0,
      provice: "",
      city: "",
      region: "",
      contact: "",
      phone: "",
      email: "",
      remark: "",
    });
    const token = await world.api.userToken({
      enterpriseId: (data as { id: number }).id,
      dataScope: 3,
    });
    const { api } = world;
    const [task] = await query(sql<{ id: number }>`select id from task where node_id = ${site.id}`);
    for (const answer of [
      await api.get(nodeState.path, { id: site.id }, token),
      await api.get(taskList.path, { cpeId: site.id }, token),
      await api.post(taskCancel.path, { operId: task?.id }, token),
      await api.post(stateRetry.path, { id: site.id }, token),
    ]) {
      expect(answer).toMatchObject({ code: 404 });
    }
  });
});
