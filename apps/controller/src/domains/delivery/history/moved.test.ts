/** History of a CPE that was moved to another enterprise: each enterprise has the states of its own time. */
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import {
  stateDifference,
  stateGoBack,
  stateList,
} from "@weft/contract/domains/delivery/history.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { taskList } from "@weft/contract/domains/delivery/task.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { enrolmentReject } from "@weft/contract/domains/devices/enrolment.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { sweepStates } from "#jobs/housekeeping.ts";
import { formData } from "../../../../test/api.ts";
import { type FakeEdge, type Line, runningOf } from "../../../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

const patience = 60_000;
let world: LoopWorld;
const lines: Line[] = [];
/** Enterprises, and a person of each with every permission. */
let former: { id: number; token: string };
let owner: { id: number; token: string };
let site: Site;
/** States that the device confirmed for each of the two. */
const confirmed = { former: [] as number[], owner: [] as number[] };

const query = <Row>(text: ReturnType<typeof sql<Row>>) =>
  inScope(world.pools.apiAll, { kind: "all" }, async (trx) => (await text.execute(trx)).rows);
const settled = () =>
  eventually(async () => !(await world.stateOf(site.id)).compiling, "all is compiled", patience);
const confirmAll = async (edge: FakeEdge, line: Line): Promise<number> => {
  for (;;) {
    const { head } = await line.next("head", patience);
    expect(await edge.confirm(head)).toMatchObject({ status: 200 });
    line.send({ type: "heartbeat", running: runningOf(head), drift: null });
    if (head.serial === (await world.stateOf(site.id)).desired?.serial) return head.serial;
  }
};
const connect = async (): Promise<{ edge: FakeEdge; line: Line; serial: number }> => {
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  lines.push(line);
  line.send(edge.report({ running: null }));
  await settled();
  return { edge, line, serial: await confirmAll(edge, line) };
};
const listOf = async (token: string) => {
  const answer = await world.api.get(stateList.path, { id: site.id, page: 1, limit: 100 }, token);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as OutputOf<typeof stateList>;
};
const compare = (from: number | "", to: number | "", token: string) =>
  world.api.get(stateDifference.path, { id: site.id, from, to }, token);

const goBack = (serial: number, token: string, headers: Record<string, string> = {}) => {
  const form = formData({ id: site.id, serial });
  return world.api.send({
    method: "POST",
    url: stateGoBack.path,
    query: { token },
    payload: form.payload,
    headers: { ...form.headers, ...headers },
  });
};

beforeAll(async () => {
  world = await loopWorld({ pollMs: 100, settleMs: 150 });
  await world.startWorker();
  const enterprise = async (name: string) => {
    const draft = wireDraft(
      "enterprise",
      "valid",
      { groupid: 1, cpeId: 0, popId: 0 },
      { name, parentId: 1 },
    );
    const id = newIdOf(await world.api.post("/customer/enterprise/add", draft, world.admin));
    return { id, token: await world.api.userToken({ enterpriseId: id, dataScope: 3 }) };
  };
  former = await enterprise("former");
  owner = await enterprise("owner");
  site = await world.addSite({ groupid: former.id });
  await world.addLan(site, 1);
  await settled();
  const { line, edge, serial } = await connect();
  confirmed.former.push(serial);
  await world.addLan(site, 2);
  confirmed.former.push(await confirmAll(edge, line));
  await world.post(
    stateGoBack.path,
    { id: site.id, serial: confirmed.former[0] as number },
    former.token,
  );
  await settled();
  // What has to go before the move: LANs and the device; the CPE stays held at the past state.
  const ids = await query(
    sql<{ id: number }>`select id from lan_section where node_id = ${site.id} order by id`,
  );
  await world.post(lanSection.ops.remove.path, {
    ids: ids.map(({ id }) => id).join(","),
    nCpeID: site.id,
  });
  const [device] = await query(
    sql<{
      id: number;
    }>`select id from node_identity where node_id = ${site.id} and state = 'approved'`,
  );
  await world.post(enrolmentReject.path, { ids: String(device?.id) });
  await settled();
  const row = wireDraft(
    "cpe",
    "valid",
    { groupid: owner.id, cpeId: site.id, popId: 0 },
    { alias: "moved", sn: site.sn, id: site.id },
  );
  await world.post(cpe.ops.edit.path, row);
  await settled();
  const now = await connect();
  confirmed.owner.push(now.serial);
  await world.addLan(site, 3);
  confirmed.owner.push(await confirmAll(now.edge, now.line));
}, 120_000);
afterAll(async () => {
  for (const line of lines) line.socket.terminate();
  await world.close();
});

test("the new enterprise sees the states since the move alone, and their differences", async () => {
  const states = await listOf(owner.token);
  expect(states.map(({ serial }) => serial)).toEqual(expect.arrayContaining([...confirmed.owner]));
  expect(Math.min(...states.map(({ serial }) => serial))).toBeGreaterThan(
    Math.max(...confirmed.former),
  );
  const [first, second] = confirmed.owner as [number, number];
  const answer = await compare(first, second, owner.token);
  expect(answer).toMatchObject({ code: 0 });
  const { objects } = answer.data as OutputOf<typeof stateDifference>;
  expect(objects.map(({ kind, key }) => `${kind} ${key}`)).toContain("lan lan3 0 10.50.3.0/24");
  expect(JSON.stringify(answer.data)).not.toMatch(/10\.50\.[12]\./);
});

test("a comparison with the running state and going back work since the move", async () => {
  expect(await compare("", "", owner.token)).toMatchObject({ code: 0 });
  const { data } = await world.api.get(nodeState.path, { id: site.id }, owner.token);
  expect(data).toMatchObject({ heldAt: null });
  const [first] = confirmed.owner as [number];
  const answer = await goBack(first, owner.token);
  expect(answer).toMatchObject({ code: 0 });
  await settled();
});

test("a state from before the move is refused with its reason, in both languages", async () => {
  const [, before] = confirmed.former as [number, number];
  const [since] = confirmed.owner as [number];
  const texts = { zh: /移入.*之前/, en: /before.*moved/ };
  for (const [language, text] of Object.entries(texts)) {
    const headers = { "accept-language": language };
    const calls = [
      world.api.get(
        stateDifference.path,
        { id: site.id, from: before, to: since },
        owner.token,
        headers,
      ),
      world.api.get(
        stateDifference.path,
        { id: site.id, from: since, to: before },
        owner.token,
        headers,
      ),
      goBack(before, owner.token, headers),
      // Nor by those who may read both: the networks of the former enterprise would act for the new one.
      goBack(before, world.admin, headers),
    ];
    for (const answer of await Promise.all(calls))
      expect(answer).toMatchObject({ code: 422, msg: expect.stringMatching(text) });
  }
  // One that never was is not found, and nothing else.
  expect(await compare(9_999, since, owner.token)).toMatchObject({ code: 404 });
});

test("who sees both enterprises compares states of both", async () => {
  const [, before] = confirmed.former as [number, number];
  const [since] = confirmed.owner as [number];
  const answer = await compare(before, since, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  expect((await listOf(world.admin)).find(({ serial }) => serial === before)).toMatchObject({
    goesBack: false,
  });
});

test("the former enterprise no longer reads the CPE", async () => {
  for (const path of [stateList.path, stateDifference.path, nodeState.path, taskList.path])
    expect(
      await world.api.get(
        path,
        { id: site.id, cpeId: site.id, from: "", to: "", page: 1, limit: 10 },
        former.token,
      ),
    ).toMatchObject({ code: 404 });
});

test("sections stay as long as states of either enterprise name them", async () => {
  const count = async () =>
    await query(sql`select enterprise_id, count(*)::int from state_section
      where node_id = ${site.id} group by 1 order by 1`);
  await sweepStates(world.pools);
  const rows = await query<{ missing: number }>(sql`
    select count(*)::int as missing from node_state n, jsonb_each_text(n.sections) one
    where n.node_id = ${site.id} and not starts_with(one.key, 'space.') and not exists (
      select from state_section s where s.node_id = n.node_id and s.hash = one.value
        and s.enterprise_id = n.enterprise_id)`);
  expect(rows).toEqual([{ missing: 0 }]);
  expect(await count()).toHaveLength(2);
  // Without a state of the former enterprise nothing of it stays.
  await sql`delete from weft.node_state where node_id = ${site.id} and enterprise_id = ${former.id}`.execute(
    world.pools.owner.db,
  );
  await sweepStates(world.pools);
  expect(await count()).toEqual([expect.objectContaining({ enterprise_id: owner.id })]);
});

test("no call about the CPE fails inside, and none names what the former enterprise had", async () => {
  const ids = { id: site.id, cpeId: site.id, nCpeID: site.id, nodeId: site.id, ids: site.id };
  const more = { groupid: owner.id, page: 1, limit: 100, from: "", to: "" };
  const seen: string[] = [];
  for (const { method, path } of allEndpoints) {
    if (method !== "GET") continue;
    const { code, data, msg } = await world.api.get(path, { ...ids, ...more }, owner.token);
    // 503: there is no store of measures here.
    if (code >= 500 && code !== 503) seen.push(`${path} ${code} ${msg}`);
    if (/10\.50\.[12]\.|"former"/.test(JSON.stringify(data ?? null))) seen.push(`${path} leaks`);
  }
  expect(seen).toEqual([]);
}, 120_000);
