/** A CPE that is moved to another enterprise, and an enterprise to another agent: with what is their own, or refused with the reason. */
import { allResources } from "@weft/contract/all-endpoints.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitingSessions } from "#db/testing.ts";
import { noteLeftBehind } from "../src/jobs/housekeeping.ts";
import { eventually } from "./loop-world.ts";
import { type People, people } from "./people.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let all: People;
let count = 0;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

const run = (query: ReturnType<typeof sql>) => query.execute(all.api.database.pools.owner.db);
const post = (path: string, draft: object) => all.api.post(path, draft, all.admin);

async function site() {
  count += 1;
  const named = { sn: `MOVES-${count}`, alias: `moves-${count}` };
  const draft = wireDraft("cpe", "valid", { groupid: all.agent, cpeId: 1, popId: 1 }, named);
  const id = newIdOf(await post("/customer/cpe/insertNew", draft));
  const move = () => post(cpe.ops.edit.path, { ...draft, id, groupid: all.sister });
  return { id, move };
}
/** Moves it to the enterprise. */
const moveTo = (id: number, groupid: number) => {
  const named = { sn: `MOVES-${count}`, alias: `moves-${count}` };
  const draft = wireDraft("cpe", "valid", { groupid, cpeId: 1, popId: 1 }, named);
  return post(cpe.ops.edit.path, { ...draft, id, groupid });
};
const enterprisesOf = async (id: number) =>
  (
    await run(sql`select enterprise_id as of from weft.node where id = ${id}
      union select enterprise_id from weft.router_interface where node_id = ${id}
      union select enterprise_id from weft.claim where node_id = ${id}
      union select enterprise_id from weft.node_identity where node_id = ${id}`)
  ).rows;

test("moves with its cards, used codes and refused devices", async () => {
  const { id, move } = await site();
  await run(sql`insert into weft.claim
      (enterprise_id, node_id, token_hash, sn, pre_approved, expires_at, revoked_at, created_by)
    values (${all.agent}, ${id}, ${Buffer.from("moves")}, 'x', true, now() + interval '1 day', now(), 1)`);
  await run(sql`insert into weft.node_identity (enterprise_id, node_id, public_key, sn, address, state)
    values (${all.agent}, ${id}, 'moves', 'x', '192.0.2.1', 'rejected')`);
  expect(await move()).toMatchObject({ code: 0 });
  expect(await enterprisesOf(id)).toEqual([{ of: all.sister }]);
});

test("is refused with the names of everything that prevents the move, and moves without it", async () => {
  const { id, move } = await site();
  await run(sql`insert into weft.router_ip_group (enterprise_id, node_id, name)
    values (${all.agent}, ${id}, 'servers')`);
  await run(sql`insert into weft.claim
      (enterprise_id, node_id, token_hash, sn, pre_approved, expires_at, created_by)
    values (${all.agent}, ${id}, ${Buffer.from("open")}, 'x', true, now() + interval '1 day', 1)`);
  expect(await move()).toMatchObject({
    code: 409,
    msg: expect.stringMatching(
      /activation code.*policies|policies.*activation code|激活码.*策略|策略.*激活码/,
    ),
  });
  expect(await enterprisesOf(id)).toEqual([{ of: all.agent }]);
  await run(sql`delete from weft.router_ip_group where node_id = ${id}`);
  await run(sql`delete from weft.claim where node_id = ${id}`);
  expect(await move()).toMatchObject({ code: 0 });
});

const objects = [
  { name: "alarmStrategy", called: /alarm polic|告警策略/ },
  { name: "blacklist", called: /blacklist|黑名单/ },
  { name: "dialTask", called: /dial task|拨测任务/ },
  { name: "cug", called: /CUG/ },
] as const;
test.each(objects)("is refused while a $name of its enterprise names it", async (one) => {
  const { id } = await site();
  const named = { groupid: all.agent, cpeIds: String(id), popIds: "" };
  const draft = wireDraft(one.name, "valid", { groupid: all.agent, cpeId: id, popId: 1 }, named);
  const { add, remove } = allResources[one.name].ops;
  const object = newIdOf(await post(add.path, draft));
  expect(await moveTo(id, all.sister)).toMatchObject({
    code: 409,
    msg: expect.stringMatching(one.called),
  });
  expect(await enterprisesOf(id)).toEqual([{ of: all.agent }]);
  // Below its enterprise it still may name the CPE.
  expect(await moveTo(id, all.below)).toMatchObject({ code: 0 });
  expect(await post(remove.path, { ids: String(object) })).toMatchObject({ code: 0 });
  expect(await moveTo(id, all.sister)).toMatchObject({ code: 0 });
});

test("is refused while it keeps addresses for hosts, which its LAN sections are for", async () => {
  const { id, move } = await site();
  const ids = { groupid: all.agent, cpeId: id, popId: 1 };
  const lan = { interfaceName: "lan7", network: "10.209.0.1/16", network6: "", enableForward: 0 };
  const { lansection, dhcpReservation } = allResources;
  const lanId = newIdOf(
    await post(lansection.ops.add.path, wireDraft("lansection", "valid", ids, lan)),
  );
  const draft = wireDraft("dhcpReservation", "valid", ids, {});
  const kept = newIdOf(await post(dhcpReservation.ops.add.path, draft));
  expect(await move()).toMatchObject({
    code: 409,
    msg: expect.stringMatching(/DHCP reservations|DHCP 地址保留/),
  });
  expect(await post(dhcpReservation.ops.remove.path, { ids: `${kept}` })).toMatchObject({
    code: 0,
  });
  expect(await post(lansection.ops.remove.path, { ids: `${lanId}` })).toMatchObject({ code: 0 });
  expect(await move()).toMatchObject({ code: 0 });
});

const own = [
  { name: "xaclrules", called: /ACL/ },
  { name: "dnsmasq", called: /DNS/ },
] as const;
test.each(own)(
  "is refused while it has a $name, which names hosts of its enterprise",
  async (one) => {
    const { id, move } = await site();
    const { add, remove } = allResources[one.name].ops;
    const ids = { groupid: all.agent, cpeId: id, popId: 1 };
    const object = newIdOf(await post(add.path, wireDraft(one.name, "valid", ids, {})));
    expect(await move()).toMatchObject({ code: 409, msg: expect.stringMatching(one.called) });
    expect(await enterprisesOf(id)).toEqual([{ of: all.agent }]);
    const removal = { ids: String(object), nCpeID: id, cpeId: id };
    expect(await post(remove.path, removal)).toMatchObject({ code: 0 });
    expect(await move()).toMatchObject({ code: 0 });
  },
);

describe("an object that names the CPE, added at the moment of the move", () => {
  /** Two calls of which the second begins when the first has written its rows, and cannot go on before. */
  async function interleaved<First, Second>(
    first: () => Promise<First>,
    second: () => Promise<Second>,
  ): Promise<[First, Second]> {
    const blocker = await all.api.database.pools.owner.pg.connect();
    const waiting = (count: number) =>
      eventually(
        async () => (await blocker.query(waitingSessions)).rows[0]?.n >= count,
        `${count} wait`,
        60_000,
      );
    try {
      // The last that each call writes.
      await blocker.query("begin; lock table weft.audit in exclusive mode");
      const one = first();
      await waiting(1);
      const other = second();
      await waiting(2);
      await blocker.query("commit");
      return await Promise.all([one, other]);
    } finally {
      await blocker.query("rollback");
      blocker.release();
    }
  }
  const kinds = [...objects, ...own].map(({ name, called }) => ({ name, called }));
  const addTo = (name: (typeof kinds)[number]["name"], id: number) => {
    const ids = { groupid: all.agent, cpeId: id, popId: 1 };
    const named = {
      groupid: all.agent,
      cpeIds: String(id),
      popIds: "",
      name: `race-${id}`,
      ...(name === "blacklist" && { type: "domain", value: `race-${id}.example.com` }),
    };
    const isOwn = own.some((one) => one.name === name);
    const draft = wireDraft(name, "valid", ids, isOwn ? {} : named);
    return post(allResources[name].ops.add.path, draft);
  };

  test.each(kinds)("is kept and the move refused when the $name comes first", async (one) => {
    const { id, move } = await site();
    const [added, moved] = await interleaved(() => addTo(one.name, id), move);
    expect(added).toMatchObject({ code: 0 });
    expect(moved).toMatchObject({ code: 409, msg: expect.stringMatching(one.called) });
    expect(await enterprisesOf(id)).toEqual([{ of: all.agent }]);
  });

  test.each(kinds)("is refused when the move comes before the $name", async (one) => {
    const { id, move } = await site();
    const [moved, added] = await interleaved(move, () => addTo(one.name, id));
    expect(moved).toMatchObject({ code: 0 });
    // Changed by someone else.
    expect(added).toMatchObject({ code: 412 });
    expect(await enterprisesOf(id)).toEqual([{ of: all.sister }]);
  });
});

describe("an enterprise that moves to another agent", () => {
  let made = 0;
  /** An agent, a customer of it with a CPE, and another agent. */
  async function customer() {
    made += 1;
    const ids = { groupid: 1, cpeId: 1, popId: 1 };
    const add = async (name: string, parentId: number, isAgent: 0 | 1) => {
      const draft = wireDraft("enterprise", "valid", ids, { name: `${name}-${made}`, parentId });
      return newIdOf(await post(allResources.enterprise.ops.add.path, { ...draft, isAgent }));
    };
    const [agent, other] = [await add("leaves", 1, 1), await add("takes", 1, 1)];
    const groupid = await add("moves", agent, 0);
    const named = { sn: `MOVES-ALONG-${made}`, alias: `moves-along-${made}` };
    const device = wireDraft("cpe", "valid", { ...ids, groupid }, named);
    const cpeId = newIdOf(await post("/customer/cpe/insertNew", device));
    const move = (parentId: number) =>
      post(allResources.enterprise.ops.edit.path, {
        ...wireDraft("enterprise", "valid", ids, { name: `moves-${made}`, parentId }),
        groupid,
      });
    return { agent, other, groupid, cpeId, move, below: () => add("beneath", agent, 1) };
  }
  const refusal = (called: RegExp) => ({ code: 409, msg: expect.stringMatching(called) });

  test.each([
    ...objects,
    { name: "netSpace", called: /网络空间/ },
    { name: "firmwareTask", called: /固件任务/ },
    { name: "alarmWindow", called: /维护窗口/ },
  ] as const)("is refused while a $name of the former agent names its CPE", async (one) => {
    const { agent, other, cpeId, move, below } = await customer();
    await run(sql`insert into weft.node_status (node_id, enterprise_id, capabilities)
      select id, enterprise_id, '[{"name": "firmware", "can": true, "reason": null}]' from weft.node where id = ${cpeId}`);
    const ids = { groupid: agent, cpeId, popId: 1 };
    const named = { groupid: agent, cpeIds: String(cpeId), popIds: "", name: `across-${made}` };
    const { add, remove } = allResources[one.name].ops;
    const object = newIdOf(await post(add.path, wireDraft(one.name, "valid", ids, named)));
    expect(await move(other)).toMatchObject(refusal(one.called));
    // The former agent stays above it.
    expect(await move(await below())).toMatchObject({ code: 0 });
    expect(await move(other)).toMatchObject(refusal(one.called));
    expect(await post(remove.path, { ids: String(object) })).toMatchObject({ code: 0 });
    expect(await move(other)).toMatchObject({ code: 0 });
  });

  test("is refused while a template of the former agent has its CPE, or takes in all of them", async () => {
    const { agent, other, cpeId, groupid, move } = await customer();
    const { post: call, userToken } = all.api;
    // A template is of the enterprise of who makes it.
    const chief = await userToken({ enterpriseId: agent, dataScope: 3, roleType: 1 });
    const named = { templateName: `across-${made}`, remark: "" };
    const templateId = newIdOf(await call("/customer/routerTemplate/add", named, chief));
    const member = { templateId, cpeIds: String(cpeId) };
    expect(await post("/customer/routerTemplateRel/add", member)).toMatchObject({ code: 0 });
    expect(await move(other)).toMatchObject(refusal(/路由模板/));
    expect(await post("/customer/routerTemplateRel/remove", member)).toMatchObject({ code: 0 });
    const target = { templateId, groupid };
    expect(await post("/customer/routerTemplateTarget/takeEnterprise", target)).toMatchObject({
      code: 0,
    });
    expect(await move(other)).toMatchObject(refusal(/路由模板/));
  });

  test("is refused while people of the former agent see it by a role, who do not afterwards", async () => {
    const { agent, other, groupid, cpeId, move } = await customer();
    const seen = (token: string) =>
      all.api.get("/customer/cpe/findById", { id: cpeId, cpeId }, token);
    const token = await all.api.userToken({
      enterpriseId: agent,
      dataScope: 4,
      selected: [groupid],
    });
    expect(await seen(token)).toMatchObject({ code: 0 });
    expect(await move(other)).toMatchObject(refusal(/角色/));
    await run(sql`delete from weft.role_enterprise where enterprise_id = ${groupid}`);
    expect(await move(other)).toMatchObject({ code: 0 });
    expect(await seen(token)).toMatchObject({ code: 404 });
  });

  test("is refused while POPs of the former agent carry it, or a strategy of that one chooses them", async () => {
    const { agent, other, groupid, cpeId, move } = await customer();
    const ids = { groupid: agent, cpeId, popId: 1 };
    const popDraft = wireDraft("pop", "valid", ids, { name: `pop-${made}`, sn: `pop-${made}` });
    const popId = newIdOf(await post(allResources.pop.ops.add.path, popDraft));
    const space = wireDraft(
      "netSpace",
      "valid",
      { groupid, cpeId, popId },
      { name: `space-${made}` },
    );
    const spaceId = newIdOf(await post(allResources.netSpace.ops.add.path, space));
    expect(await move(other)).toMatchObject(refusal(/网络空间/));
    expect(await post(allResources.netSpace.ops.remove.path, { ids: spaceId })).toMatchObject({
      code: 0,
    });
    const strategy = wireDraft("popStrategy", "valid", { ...ids, popId }, { name: `by-${made}` });
    const popStrategyId = newIdOf(await post(allResources.popStrategy.ops.add.path, strategy));
    const choose = (fields: object) =>
      post("/customer/enterprise/editStrategy", { groupid, checkServerData: "", ...fields });
    expect(await choose({ strategyType: 1, popStrategyId })).toMatchObject({ code: 0 });
    expect(await move(other)).toMatchObject(refusal(/POP 策略/));
    expect(await choose({ strategyType: 0, popStrategyId: "" })).toMatchObject({ code: 0 });
    // From before a share was withdrawn with what it was for.
    await run(
      sql`insert into weft.share (enterprise_id, kind, row_id) values (${groupid}, 'pop', ${popId})`,
    );
    const token = await all.api.userToken({ enterpriseId: groupid, dataScope: 3 });
    const pops = async () => (await all.api.get("/customer/pop/combo", {}, token)).data;
    expect(await pops()).toMatchObject([{ id: popId }]);
    expect(await move(other)).toMatchObject({ code: 0 });
    expect(await pops()).toEqual([]);
  });

  test("is reported for each node that left references behind before such moves were refused, until none is left", async () => {
    const { agent, other, groupid, cpeId, move } = await customer();
    const ids = { groupid: agent, cpeId, popId: 1 };
    const named = { groupid: agent, cpeIds: String(cpeId), popIds: "", name: `left-${made}` };
    const left: [string, number][] = [];
    const kinds = [{ name: "alarmWindow" }, { name: "netSpace" }] as const;
    for (const { name } of [...objects, ...kinds]) {
      const { add, remove } = allResources[name].ops;
      const draft = wireDraft(name, "valid", ids, { ...named, reason: `works-${made}` });
      left.push([remove.path, newIdOf(await post(add.path, draft))]);
    }
    await all.api.userToken({ enterpriseId: agent, dataScope: 4, selected: [groupid] });
    const chief = await all.api.userToken({ enterpriseId: agent, dataScope: 3, roleType: 1 });
    const template = { templateName: `left-${made}`, remark: "" };
    const templateId = newIdOf(await all.api.post("/customer/routerTemplate/add", template, chief));
    const member = { templateId, cpeIds: String(cpeId) };
    expect(await post("/customer/routerTemplateRel/add", member)).toMatchObject({ code: 0 });
    const note = () => noteLeftBehind(all.api.database.pools);
    const found = async () => {
      const { data } = await all.api.get("/customer/nodeState/getById", { id: cpeId }, all.admin);
      const { findings } = data as { findings: { kind: string; reason: string; params: object }[] };
      return findings.filter(({ reason }) => reason === "ofFormerAgent");
    };
    await note();
    expect(await found()).toEqual([]);
    // As it was before: without the check.
    await run(sql`update weft.enterprise set parent_id = ${other} where id = ${groupid}`);
    await run(sql`insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value, new_value, address, request_id)
      values (${groupid}, 1, 'admin', 'enterprise.edit', 'enterprise', ${groupid},
        jsonb_build_object('parentId', ${agent}::bigint), jsonb_build_object('parentId', ${other}::bigint), '', 'moved')`);
    // Added since: somebody who sees both wants it.
    const since = wireDraft("dialTask", "valid", ids, { ...named, name: `since-${made}` });
    left.push([
      allResources.dialTask.ops.remove.path,
      newIdOf(await post(allResources.dialTask.ops.add.path, since)),
    ]);
    await note();
    const enterprise = `leaves-${made}`;
    expect(await found()).toMatchObject(
      [
        ["alarmStrategy"],
        ["alarmWindow", `works-${made}`],
        ["blacklist"],
        ["cug"],
        ["dialTask"],
        ["netSpace"],
        ["role"],
        ["routerTemplate"],
      ].map(([kind, object = expect.stringMatching(/^[^#]/)]) => ({
        kind,
        object,
        params: { enterprise },
      })),
    );
    await note();
    expect(await found()).toHaveLength(8);
    expect(await post("/customer/routerTemplateRel/remove", member)).toMatchObject({ code: 0 });
    for (const [path, id] of left)
      expect(await post(path, { ids: String(id) })).toMatchObject({ code: 0 });
    await run(sql`delete from weft.role_enterprise where enterprise_id = ${groupid}`);
    await note();
    expect(await found()).toEqual([]);
    expect(await move(agent)).toMatchObject({ code: 0 });
  });

  test("is said, by what the operation log has of its move, to have left objects that name POPs of the former agent", async () => {
    const { agent, other, groupid, cpeId, move } = await customer();
    const ids = { groupid: agent, cpeId, popId: 1 };
    const popDraft = wireDraft("pop", "valid", ids, { name: `pops-${made}`, sn: `pops-${made}` });
    const popId = newIdOf(await post(allResources.pop.ops.add.path, popDraft));
    expect(await move(other)).toMatchObject({ code: 0 });
    const kinds = ["saasGroup.domain", "vbrNode", "xwanCircuit", "popStrategy"] as const;
    for (const name of kinds) {
      const draft = wireDraft(name, "valid", { groupid, cpeId, popId }, { name: `pops-${made}` });
      newIdOf(await post(allResources[name].ops.add.path, draft));
    }
    const strategy = wireDraft("popStrategy", "valid", { ...ids, popId }, { name: `by-${made}` });
    const popStrategyId = newIdOf(await post(allResources.popStrategy.ops.add.path, strategy));
    const choice = { groupid, checkServerData: "", strategyType: 1, popStrategyId };
    expect(await post("/customer/enterprise/editStrategy", choice)).toMatchObject({ code: 0 });
    const found = async (id: number) => {
      await noteLeftBehind(all.api.database.pools);
      const { data } = await all.api.get("/customer/nodeState/getById", { id }, all.admin);
      const { findings } = data as {
        findings: {
          kind: string;
          object: string;
          reason: string;
          params: { enterprise: string };
        }[];
      };
      return findings
        .filter(({ reason }) => reason === "ofFormerAgent")
        .map(({ kind, object, params }) => [kind, object, params.enterprise]);
    };
    // Added since.
    expect([await found(popId), await found(cpeId)]).toEqual([[], []]);
    for (const table of ["saas_group", "vbr_node", "circuit", "pop_strategy"])
      await run(sql`update ${sql.table(`weft.${table}`)} set created_at = created_at - interval '1 day'
        where enterprise_id in (${groupid}, ${agent})`);
    await run(sql`insert into weft.client_service (enterprise_id, enabled, pop_id, pool, routes, terminal_types)
      values (${groupid}, false, ${popId}, '10.99.0.0/24', '{}', '{}')`);
    const [name, strategyName, mover] = [`pops-${made}`, `by-${made}`, `moves-${made}`];
    expect(await found(popId)).toEqual([
      ["circuit", name, mover],
      ["clientService", "10.99.0.0/24", mover],
      ["popStrategy", name, mover],
      ["saasGroup", name, mover],
      ["vbrNode", name, mover],
    ]);
    expect(await found(cpeId)).toEqual([["popStrategy", strategyName, `leaves-${made}`]]);
  });

  test("moves with what is its own, and with what the enterprises above both have", async () => {
    const { other, groupid, cpeId, move } = await customer();
    for (const owner of [1, groupid]) {
      const ids = { groupid: owner, cpeId, popId: 1 };
      const named = { groupid: owner, cpeIds: String(cpeId), popIds: "", name: `own-${made}` };
      newIdOf(
        await post(allResources.dialTask.ops.add.path, wireDraft("dialTask", "valid", ids, named)),
      );
    }
    expect(await move(other)).toMatchObject({ code: 0 });
  });
});
