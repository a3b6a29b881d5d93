/** Which POPs an agent may use before any space of theirs does (weft.offered_pops). */

import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import {
  enterprise,
  enterpriseEditStrategy,
} from "@weft/contract/domains/enterprises/enterprise.ts";
import { netSpace, netSpaceCandidates } from "@weft/contract/domains/overlay/net-space.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
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
