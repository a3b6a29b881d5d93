/** Which POPs an agent may use before any space of theirs does (weft.offered_pops), and until when who uses one reads it (weft.share). */

import { healthRank } from "@weft/contract/domains/devices/health.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import {
  enterprise,
  enterpriseEditStrategy,
} from "@weft/contract/domains/enterprises/enterprise.ts";
import { alarmStrategy } from "@weft/contract/domains/notifications/alarm.ts";
import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import { netSpace, netSpaceCandidates } from "@weft/contract/domains/overlay/net-space.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import { vbrNode } from "@weft/contract/domains/overlay/vbr-node.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitingSessions } from "#db/testing.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

const operator = 1;
let api: TestApi;
let admin: string;
const noIds = { groupid: operator, cpeId: 0, popId: 0 };

async function addEnterprise(name: string, parentId: number, isAgent: boolean) {
  const draft = wireDraft("enterprise", "valid", noIds, { name, parentId });
  const fields = { ...draft, isAgent: isAgent ? 1 : 0 };
  const groupid = newIdOf(await api.post(enterprise.ops.add.path, fields, admin));
  const token = await api.userToken({ enterpriseId: groupid, dataScope: 3 });
  return { groupid, token };
}
type Enterprise = Awaited<ReturnType<typeof addEnterprise>>;

async function addPop(name: string, groupid: number): Promise<number> {
  const draft = wireDraft("pop", "valid", { ...noIds, groupid }, { name, sn: `SN-${name}` });
  return newIdOf(await api.post(pop.ops.add.path, draft, admin));
}

/** Names of the POPs that a picker offers, and of those that a space of the enterprise may take. */
async function offered({ groupid, token }: Enterprise): Promise<string[]> {
  const combo = await api.get(pop.ops.combo.path, {}, token);
  const candidates = await api.get(netSpaceCandidates.path, { groupid }, token);
  const names = (rows: unknown) => (rows as { name: string }[]).map(({ name }) => name).sort();
  expect(names((candidates.data as { pops: unknown }).pops)).toEqual(names(combo.data));
  return names(combo.data);
}

let agent: Enterprise;
let customer: Enterprise;
let below: Enterprise;
let pops: number[];
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  agent = await addEnterprise("agent", operator, true);
  customer = await addEnterprise("customer", agent.groupid, false);
  below = await addEnterprise("agent-below", agent.groupid, true);
  const sister = await addEnterprise("sister", operator, true);
  pops = [await addPop("one", operator), await addPop("two", operator)];
  await addPop("agents-own", agent.groupid);
  await addPop("sisters-own", sister.groupid);
}, 60_000);
afterAll(() => api.close());

test("are those of the enterprises above the agent, and no other agent's", async () => {
  expect(await offered(agent)).toEqual(["agents-own", "one", "two"]);
  expect(await offered(below)).toEqual(["agents-own", "one", "two"]);
  expect(await offered(customer)).toEqual([]);
});

test("carry a space of a customer that the agent makes, which the customer then may read", async () => {
  const draft = wireDraft(
    "netSpace",
    "valid",
    { groupid: customer.groupid, cpeId: 1, popId: 1 },
    { name: "first" },
  );
  const fields = { ...draft, cpeIds: "", popIds: pops[0] };
  expect(await api.post(netSpace.ops.add.path, fields, agent.token)).toMatchObject({ code: 0 });
  expect(await offered(customer)).toEqual(["one"]);
});

test("may be read and not written", async () => {
  const lines = await api.get(line.ops.list.path, { nodeId: pops[1] }, agent.token);
  expect(lines).toMatchObject({ code: 0 });
  const draft = wireDraft("pop", "edited", { ...noIds, groupid: agent.groupid });
  const edited = await api.post(pop.ops.edit.path, { ...draft, id: pops[1] }, agent.token);
  expect(edited.code).not.toBe(0);
  const removed = await api.post(pop.ops.remove.path, { ids: pops[1] }, agent.token);
  expect(removed.code).not.toBe(0);
});

test("are marked as admitted once they were in contact", async () => {
  await api.database.pools.owner.db
    .insertInto("node_status")
    .values({ node_id: pops[0] ?? 0, enterprise_id: operator, last_seen: new Date(0) })
    .execute();
  const { data } = await api.get(pop.ops.list.path, { page: 1, limit: 10 }, agent.token);
  const reported = (data as { name: string; enrolment: string | null; linkStatus: number }[])
    .filter(({ name }) => name === "one" || name === "two")
    .map(({ name, enrolment, linkStatus }) => ({ name, enrolment, linkStatus }))
    .sort((a, b) => a.name.localeCompare(b.name));
  expect(reported).toEqual([
    { name: "one", enrolment: "approved", linkStatus: 0 },
    { name: "two", enrolment: null, linkStatus: 0 },
  ]);
});

/** What a reader sees of a POP: its state, its health and the address of its WAN link; undefined: nothing. */
async function seenOf(popId: number, { token }: Enterprise) {
  const { data } = await api.get(pop.ops.list.path, { page: 1, limit: 10 }, token);
  const row = (data as { id: number; linkStatus: number; health: string | null }[]).find(
    ({ id }) => id === popId,
  );
  const lines = await api.get(line.ops.list.path, { nodeId: popId }, token);
  const addresses = ((lines.data ?? []) as { ip: string }[]).map(({ ip }) => ip);
  return row && { online: row.linkStatus === 1, health: row.health, addresses };
}
const onlinePop = { online: true, health: "online", addresses: ["203.0.113.77/24"] };

test("show the agent their address, state and health", async () => {
  const owned = { ...noIds, cpeId: pops[1] ?? 0, popId: pops[1] ?? 0 };
  const address = { nodeId: pops[1], addressing: "static", ip: "203.0.113.77/24" };
  const wan = wireDraft("line", "valid", owned, { ...address, gateway: "203.0.113.1" });
  newIdOf(await api.post(line.ops.add.path, wan, admin));
  await sql`insert into weft.node_status (node_id, enterprise_id, online, last_seen)
    values (${pops[1]}, ${operator}, true, now())`.execute(api.database.pools.owner.db);
  await sql`insert into weft.node_health (node_id, enterprise_id, state, rank, tone, since)
    values (${pops[1]}, ${operator}, 'online', ${healthRank("online")}, 'ok', now())`.execute(
    api.database.pools.owner.db,
  );
  expect(await seenOf(pops[1] ?? 0, agent)).toEqual(onlinePop);
  expect(await seenOf(pops[1] ?? 0, customer)).toBeUndefined();
});

test("are narrowed by the POP strategy of the agent, for those below it as well", async () => {
  const strategyDraft = wireDraft("popStrategy", "valid", noIds, { name: "narrow" });
  const popStrategyId = newIdOf(
    await api.post(popStrategy.ops.add.path, { ...strategyDraft, popIds: pops.join() }, admin),
  );
  const choose = async (fields: object) => {
    const input = { groupid: agent.groupid, strategyType: 1, popStrategyId, ...fields };
    expect(await api.post(enterpriseEditStrategy.path, input, admin)).toMatchObject({ code: 0 });
  };
  await choose({ checkServerData: "" });
  expect(await offered(below)).toEqual(["agents-own", "one", "two"]);
  await choose({ checkServerData: pops[1] });
  expect(await offered(below)).toEqual(["agents-own", "two"]);
  // "one" carries a space of its customer by now.
  expect(await offered(agent)).toEqual(["agents-own", "one", "two"]);
  await choose({ strategyType: 0, popStrategyId: "", checkServerData: "" });
  expect(await offered(below)).toEqual(["agents-own", "one", "two"]);
});

describe("a POP of another enterprise is read", () => {
  let spaces = 0;
  /** Draft of a space of the customer with these POPs. */
  const spaceOf = (popIds: readonly (number | undefined)[]) => {
    spaces += 1;
    const draft = wireDraft(
      "netSpace",
      "valid",
      { groupid: customer.groupid, cpeId: 1, popId: 1 },
      { name: `served-${spaces}` },
    );
    return { ...draft, cpeIds: "", popIds: popIds.join() };
  };
  const post = async (path: string, fields: object) => {
    const answer = await api.post(path, fields, agent.token);
    expect(answer).toMatchObject({ code: 0 });
    return answer;
  };
  const addSpace = async (popIds: readonly (number | undefined)[]) =>
    newIdOf(await post(netSpace.ops.add.path, spaceOf(popIds)));
  const removeSpace = (id: number) => post(netSpace.ops.remove.path, { ids: id });

  beforeAll(async () => {
    const { data } = await api.get(netSpace.ops.list.path, { page: 1, limit: 10 }, customer.token);
    for (const { id } of data as { id: number }[]) await removeSpace(id);
  });

  test("while a space of the customer uses it, whether the POP leaves the space or the space is removed", async () => {
    expect(await offered(customer)).toEqual([]);
    const draft = spaceOf(pops);
    const id = newIdOf(await post(netSpace.ops.add.path, draft));
    const other = await addSpace([pops[1]]);
    expect(await offered(customer)).toEqual(["one", "two"]);
    const edit = (popIds: readonly (number | undefined)[]) =>
      post(netSpace.ops.edit.path, { ...draft, id, popIds: popIds.join() });
    await edit([]);
    expect(await offered(customer)).toEqual(["two"]);
    await edit(pops);
    expect(await offered(customer)).toEqual(["one", "two"]);
    await removeSpace(other);
    expect(await offered(customer)).toEqual(["one", "two"]);
    await removeSpace(id);
    expect(await offered(customer)).toEqual([]);
  });

  test("with its address, state and health, which go with the space and come back with it", async () => {
    const popId = pops[1] ?? 0;
    for (const _time of ["first", "again"]) {
      expect(await seenOf(popId, customer)).toBeUndefined();
      const hidden = await api.get(line.ops.list.path, { nodeId: popId }, customer.token);
      expect(JSON.stringify(hidden)).not.toContain("203.0.113");
      const id = await addSpace([popId]);
      expect(await seenOf(popId, customer)).toEqual(onlinePop);
      await removeSpace(id);
    }
    expect(await seenOf(popId, customer)).toBeUndefined();
    // The agent, who is offered it, saw it all the time.
    expect(await seenOf(popId, agent)).toEqual(onlinePop);
  });

  test("while a circuit of the customer ends at it", async () => {
    const of = { groupid: customer.groupid, cpeId: pops[0] ?? 0, popId: pops[1] ?? 0 };
    const draft = wireDraft("xwanCircuit", "valid", of, { name: "served" });
    const { add, edit, remove } = circuit.ops;
    const id = newIdOf(await post(add.path, draft));
    expect(await offered(customer)).toEqual(["one", "two"]);
    const own = await addPop("customers-own", customer.groupid);
    await post(edit.path, { ...draft, id, targetId: own });
    expect(await offered(customer)).toEqual(["customers-own", "one"]);
    await post(remove.path, { ids: id });
    expect(await offered(customer)).toEqual(["customers-own"]);
    expect(await api.post(pop.ops.remove.path, { ids: own }, admin)).toMatchObject({ code: 0 });
  });

  test("as long as anything else of the customer names it", async () => {
    const of = { groupid: customer.groupid, cpeId: 1, popId: pops[0] ?? 0 };
    const holders = [
      [saasGroups.domain, wireDraft("saasGroup.domain", "valid", of, { name: "served" })],
      [vbrNode, wireDraft("vbrNode", "valid", of, { name: "served" })],
      [popStrategy, wireDraft("popStrategy", "valid", of, { name: "served", popIds: pops[0] })],
      [
        alarmStrategy,
        wireDraft("alarmStrategy", "valid", of, { name: "served", cpeIds: "", popIds: pops[0] }),
      ],
    ] as const;
    for (const [resource, draft] of holders) {
      const space = await addSpace([pops[0]]);
      const { add, remove } = resource.ops;
      const id = newIdOf(await api.post(add.path, draft, admin));
      await removeSpace(space);
      expect(await offered(customer)).toEqual(["one"]);
      expect(await api.post(remove.path, { ids: id }, admin)).toMatchObject({ code: 0 });
      expect(await offered(customer)).toEqual([]);
    }
  });

  const run = (query: ReturnType<typeof sql>) => query.execute(api.database.pools.owner.db);
  const removeCircuit = (id: number) => run(sql`delete from weft.circuit where id = ${id}`);
  const circuitOf = (name: string, ends: readonly (number | undefined)[] = pops) => {
    const of = { groupid: customer.groupid, cpeId: ends[0] ?? 0, popId: ends[1] ?? 0 };
    return wireDraft("xwanCircuit", "valid", of, { name });
  };
  const addCircuit = async (name: string, ends?: readonly (number | undefined)[]) =>
    newIdOf(await post(circuit.ops.add.path, circuitOf(name, ends)));

  test("until the object that names it is another enterprise's", async () => {
    const space = await addSpace([pops[0]]);
    const of = { groupid: customer.groupid, cpeId: 1, popId: pops[0] ?? 0 };
    const named = { name: "handed-over", cpeIds: "", popIds: pops[0] };
    const drafts = [
      [popStrategy, wireDraft("popStrategy", "valid", of, named)],
      [alarmStrategy, wireDraft("alarmStrategy", "valid", of, named)],
      [saasGroups.domain, wireDraft("saasGroup.domain", "valid", of, named)],
      [vbrNode, wireDraft("vbrNode", "valid", of, named)],
    ] as const;
    const added: [string, object][] = [];
    for (const [resource, draft] of drafts) {
      const id = newIdOf(await api.post(resource.ops.add.path, draft, admin));
      added.push([resource.ops.edit.path, { ...draft, id, groupid: agent.groupid }]);
    }
    await removeSpace(space);
    const left = [];
    for (const [path, draft] of added) {
      left.push(await offered(customer));
      expect(await api.post(path, draft, admin)).toMatchObject({ code: 0 });
    }
    expect(left).toEqual(added.map(() => ["one"]));
    expect(await offered(customer)).toEqual([]);
  });

  test("by who had it, when it moves to another enterprise while a circuit ends at it, and not by who gave it back", async () => {
    const id = await addPop("moving", customer.groupid);
    const draft = wireDraft("pop", "valid", noIds, { name: "moving", sn: "SN-moving" });
    const moveTo = async (groupid: number) =>
      expect(await api.post(pop.ops.edit.path, { ...draft, id, groupid }, admin)).toMatchObject({
        code: 0,
      });
    const first = await addCircuit("moves-along", [id, pops[0]]);
    expect(await offered(customer)).toEqual(["moving", "one"]);
    await moveTo(agent.groupid);
    expect(await offered(customer)).toEqual(["moving", "one"]);
    await moveTo(customer.groupid);
    await removeCircuit(first);
    expect(await offered(customer)).toEqual(["moving"]);
    await moveTo(agent.groupid);
    expect(await offered(customer)).toEqual([]);
    expect(await api.post(pop.ops.remove.path, { ids: id }, admin)).toMatchObject({ code: 0 });
  });

  /** The last circuit that names the POPs is removed at the moment at which a call has written its rows and not ended. */
  async function removedMeanwhile<Answer>(last: number, call: () => Promise<Answer>) {
    const blocker = await api.database.pools.owner.pg.connect();
    const waiting = async () => (await blocker.query(waitingSessions)).rows[0]?.n as number;
    try {
      // The last that the call writes.
      await blocker.query("begin; lock table weft.audit in exclusive mode");
      const added = call();
      await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
      // Without a row of the operation log, which would wait as well.
      let isRemoved = false;
      const removed = removeCircuit(last).then(() => {
        isRemoved = true;
      });
      await expect
        .poll(async () => isRemoved || (await waiting()) >= 2, { timeout: 60_000 })
        .toBe(true);
      await blocker.query("commit");
      const answer = await added;
      await removed;
      return answer;
    } finally {
      await blocker.query("rollback");
      blocker.release();
    }
  }

  test("also when another circuit begins to end at it at the moment at which the last one is removed", async () => {
    const last = await addCircuit("last");
    const next = await removedMeanwhile(last, () => addCircuit("next"));
    expect(await offered(customer)).toEqual(["one", "two"]);
    await removeCircuit(next);
    expect(await offered(customer)).toEqual([]);
  });

  test("also when another object begins to name it at that moment", async () => {
    const of = { groupid: customer.groupid, cpeId: 1, popId: pops[0] ?? 0 };
    const named = { name: "meanwhile", cpeIds: "", popIds: pops[0] };
    const holders = [
      [popStrategy, wireDraft("popStrategy", "valid", of, named)],
      [saasGroups.domain, wireDraft("saasGroup.domain", "valid", of, named)],
    ] as const;
    for (const [resource, draft] of holders) {
      const last = await addCircuit("last");
      const { add, remove } = resource.ops;
      const answer = await removedMeanwhile(last, () => api.post(add.path, draft, customer.token));
      const id = newIdOf(answer);
      expect(await offered(customer)).toEqual(["one"]);
      expect(await api.post(remove.path, { ids: id }, admin)).toMatchObject({ code: 0 });
      expect(await offered(customer)).toEqual([]);
    }
  });

  test("by nothing that begins to name it just after the last one has gone", async () => {
    const last = await addCircuit("last");
    const remover = await api.database.pools.owner.pg.connect();
    const waiting = async () => (await remover.query(waitingSessions)).rows[0]?.n as number;
    const of = { groupid: customer.groupid, cpeId: 1, popId: pops[0] ?? 0 };
    const draft = wireDraft("popStrategy", "valid", of, { name: "too-late", popIds: pops[0] });
    try {
      await remover.query("begin; set constraints all immediate");
      await remover.query("delete from weft.circuit where id = $1", [last]);
      const late = api.post(popStrategy.ops.add.path, draft, customer.token);
      await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
      await remover.query("commit");
      expect(await late).toMatchObject({
        code: 400,
        issues: [{ path: "popIds", rule: "unknown" }],
      });
      expect(await offered(customer)).toEqual([]);
    } finally {
      await remover.query("rollback");
      remover.release();
    }
  });
});
