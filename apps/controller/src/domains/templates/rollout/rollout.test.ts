/** Versions of templates that go out in waves, on the real controller with devices that follow. */
import { taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import * as rollouts from "@weft/contract/domains/templates/rollout.ts";
import * as templates from "@weft/contract/domains/templates/router-template.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { FollowingEdge } from "../../../../test/following-edge.ts";
import { type LoopWorld, loopWorld } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { createWaves } from "./step.ts";

type Rollout = OutputOf<typeof rollouts.routerTemplateRolloutList>[number];
type Shown = OutputOf<typeof rollouts.routerTemplateRolloutMembers>[number];

let world: LoopWorld;
let made = 0;
/** Rollouts of which a step broke off. */
const failures: number[] = [];
const logger = pino(
  { level: "error" },
  { write: (line) => failures.push(JSON.parse(line).rollout) },
);
const devices: FollowingEdge[] = [];
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterEach(() => {
  for (const device of devices.splice(0)) device.leave();
});
afterAll(() => world.close());

const { completed, cancelled } = taskStatus;
const family = "routerConnlimit";
const untilLong = { timeout: 25_000, interval: 50 };
const ownRows = <Row>(query: ReturnType<typeof sql<Row>>) =>
  query.execute(world.pools.owner.db).then(({ rows }) => rows);
const get = async <Data>(path: string, query: object): Promise<Data> => {
  const answer = await world.api.get(path, query, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Data;
};

const deviceAt = async (...can: string[]): Promise<FollowingEdge> => {
  const device = await FollowingEdge.at(world, ...can);
  devices.push(device);
  await expect.poll(async () => (await world.stateOf(device.id)).confirmed).not.toBeNull();
  return device;
};
/** In the order of their waves. */
const fleet = async (count: number, ...can: string[]): Promise<FollowingEdge[]> => {
  const made = await Promise.all(Array.from({ length: count }, () => deviceAt(...can)));
  return made.toSorted((a, b) => a.id - b.id);
};

interface Objects {
  readonly name: string;
  readonly maxConnections: number;
}
const addObject = (templateId: number, fields: Objects) => {
  const { path = "" } = policyFamily(family).template.resource.ops.add ?? {};
  const rest = { enable: 1, ipgroupId: "", maxNewPerSecond: "", remark: "" };
  return world.post(path, { templateId, ...rest, ...fields });
};
const relate = (templateId: number, cpeIds: readonly number[]) =>
  world.post(templates.routerTemplateRelAdd.path, { templateId, cpeIds: cpeIds.join() });
async function templateOf(members: readonly { readonly id: number }[]): Promise<number> {
  made += 1;
  const fields = { templateName: `W-${made}`, remark: "" };
  const templateId = newIdOf(await world.post(templates.routerTemplate.ops.add.path, fields));
  await relate(
    templateId,
    members.map(({ id }) => id),
  );
  return templateId;
}
const publish = (templateId: number) => get(templates.routerTemplateIssue.path, { templateId });
/** In contact, links and loss have no times that a test would wait for; a soak time is aged. */
const start = async (templateId: number, plan: object = {}): Promise<number> => {
  const fields = { templateId, waves: "1,1", soak: 3_600, grace: 5, ...plan };
  const { data } = await world.post(rollouts.routerTemplateRolloutStart.path, fields);
  return (data as { rolloutIds: number[] }).rolloutIds[0] ?? 0;
};
const decisions = {
  GoOn: rollouts.routerTemplateRolloutGoOn,
  Halt: rollouts.routerTemplateRolloutHalt,
  RollBack: rollouts.routerTemplateRolloutRollBack,
};
const decideOn = (verb: keyof typeof decisions, rolloutId: number, token = world.admin) =>
  world.api.post(decisions[verb].path, { rolloutId }, token);
const shown = async (templateId: number): Promise<Rollout> => {
  const [first] = await get<Rollout[]>(rollouts.routerTemplateRolloutList.path, { templateId });
  return first as Rollout;
};
const membersOf = (rolloutId: number) =>
  get<Shown[]>(rollouts.routerTemplateRolloutMembers.path, { rolloutId, limit: 100 });
/** What each CPE follows, in the order of the waves. */
const followed = async (templateId: number) =>
  (
    await ownRows(sql<{ version: number | null }>`
      select m.version from weft.router_template_node m
      left join weft.template_rollout_node r on r.node_id = m.node_id
        and r.rollout_id = (select max(id) from weft.template_rollout where template_id = ${templateId})
      where m.template_id = ${templateId} order by r.wave, m.node_id`)
  ).map(({ version }) => version);
/** As if the CPEs had been fine for two hours. */
const age = (rolloutId: number) =>
  ownRows(sql`update weft.template_rollout_node
    set steady_since = steady_since - interval '2 hours' where rollout_id = ${rolloutId}`);
/** Beside the worker, so that a test does not wait for its turn. */
const step = () => createWaves(world.pools, logger).run();
const untilObserved = (rolloutId: number, wave: number) =>
  expect
    .poll(async () => {
      await step();
      const here = (await membersOf(rolloutId)).filter((member) => member.wave === wave);
      return here.every(({ steadySince }) => steadySince !== null);
    }, untilLong)
    .toBe(true);
const afterStep = async (templateId: number): Promise<Rollout> => {
  await step();
  return shown(templateId);
};
const untilState = (templateId: number, state: Rollout["state"]) =>
  expect.poll(async () => (await afterStep(templateId)).state, untilLong).toBe(state);
const untilWave = (templateId: number, wave: number) =>
  expect.poll(async () => (await afterStep(templateId)).wave, untilLong).toBe(wave);
const logOf = async (templateId: number) => {
  const rows = await get<OutputOf<typeof templates.routerTemplateLogList>>(
    templates.routerTemplateLogList.path,
    { templateId, limit: 100 },
  );
  return rows.map(({ cpeId, version, status, isBad }) => ({ cpeId, version, status, isBad }));
};
const rowOf = async (templateId: number) =>
  (
    await get<Record<string, unknown>[]>(templates.routerTemplate.ops.list.path, { size: 1_000 })
  ).find((row) => row.templateId === templateId);

describe("waves", () => {
  test("of one CPE, of another, and of the rest follow one after the other, and complete", async () => {
    const templateId = await templateOf(await fleet(4, family));
    await publish(templateId);
    await addObject(templateId, { name: "guests", maxConnections: 100 });
    const id = await start(templateId);
    await untilObserved(id, 1);
    expect(await followed(templateId)).toEqual([2, 1, 1, 1]);
    expect(await shown(templateId)).toMatchObject({
      version: 2,
      state: "running",
      wave: 1,
      cpes: 4,
      prepared: 4,
      isBad: 0,
      waves: [
        { number: 1, cpes: 1, state: "underway", counts: { observed: 1 } },
        { number: 2, cpes: 1, state: "ahead" },
        { number: 3, cpes: 2, state: "ahead", counts: { ahead: 2 } },
      ],
    });
    expect(await rowOf(templateId)).toMatchObject({ cpeFinishNum: 1, rolloutState: "running" });

    await age(id);
    await untilWave(templateId, 2);
    await untilObserved(id, 2);
    expect(await followed(templateId)).toEqual([2, 2, 1, 1]);
    await age(id);
    await untilWave(templateId, 3);
    await untilObserved(id, 3);
    expect(await followed(templateId)).toEqual([2, 2, 2, 2]);
    await age(id);
    await untilState(templateId, "completed");
    expect((await membersOf(id)).map(({ outcome }) => outcome)).toEqual(Array(4).fill("passed"));
    expect(await rowOf(templateId)).toMatchObject({ cpeFinishNum: 4, rolloutState: "completed" });
  });

  test("a CPE that refuses the version halts it; its wave follows the version before, and the version is bad", async () => {
    const [one, two, three] = await fleet(3, family);
    const templateId = await templateOf([one, two, three] as FollowingEdge[]);
    await publish(templateId);
    // The next version would cancel tasks of this one that are under way.
    await expect
      .poll(async () => (await logOf(templateId)).map(({ status }) => status), untilLong)
      .toEqual([completed, completed, completed]);
    await addObject(templateId, { name: "guests", maxConnections: 100 });
    (one as FollowingEdge).refusal = "no such interface";
    const id = await start(templateId, { waves: "2" });
    await untilState(templateId, "halted");
    expect(await shown(templateId)).toMatchObject({
      reason: "gate",
      isBad: 1,
      wave: 1,
      waves: [{ state: "rolledBack", failures: { task: 1 } }, { state: "ahead" }],
    });
    expect(await followed(templateId)).toEqual([1, 1, 1]);
    expect((await membersOf(id))[0]).toMatchObject({
      cpeId: one?.id,
      outcome: "rolledBack",
      versionBefore: 1,
      failure: { gate: "task", params: { reason: "no such interface" } },
    });
    expect(await rowOf(templateId)).toMatchObject({ version: 2, isBad: 1, rolloutState: "halted" });
    // The log has the way there and back, and says which version was bad.
    await expect
      .poll(
        async () => (await logOf(templateId)).filter(({ cpeId }) => cpeId === one?.id),
        untilLong,
      )
      .toMatchObject([
        { version: 1, status: completed, isBad: 0 },
        { version: 2, isBad: 1 },
        { version: 1, status: completed },
      ]);
    const causes = await ownRows(sql<{ cause: string }>`
      select cause from weft.node_state where node_id = ${one?.id} order by serial desc limit 1`);
    expect(causes).toEqual([{ cause: "system: routerTemplateRollout.step" }]);

    // Nothing newer goes out meanwhile, in either way; the refusal names what is under way.
    for (const answer of [
      await world.api.get(templates.routerTemplateIssue.path, { templateId }, world.admin),
      await world.api.post(rollouts.routerTemplateRolloutStart.path, { templateId }, world.admin),
    ]) {
      expect(answer.code).toBe(422);
      expect(answer.msg).toContain("版本 2");
    }
    // An operator takes it up again: the wave starts once more, and is not bad unless it fails again.
    expect(await decideOn("GoOn", id)).toMatchObject({ code: 0 });
    await untilObserved(id, 1);
    expect(await shown(templateId)).toMatchObject({ state: "running", isBad: 0, wave: 1 });
    expect(await followed(templateId)).toEqual([2, 2, 1]);
  });

  test("a CPE that loses contact after the change halts it, and one of which the preview showed what idles does not", async () => {
    const [one, two] = [await deviceAt(family), await deviceAt()];
    const templateId = await templateOf([one, two]);
    await publish(templateId);
    await addObject(templateId, { name: "guests", maxConnections: 100 });
    const id = await start(templateId, { waves: "100%" });
    await untilObserved(id, 1);
    expect((await membersOf(id)).map(({ outcome }) => outcome)).toEqual(["observed", "observed"]);
    one.leave();
    await untilState(templateId, "halted");
    expect((await shown(templateId)).waves[0]).toMatchObject({ failures: { contact: 1 } });
    expect(await followed(templateId)).toEqual([1, 1]);
    // Taken up again, it is compared with what it was like before the first time.
    expect(await decideOn("GoOn", id)).toMatchObject({ code: 0 });
    await untilState(templateId, "halted");
    expect((await membersOf(id))[0]).toMatchObject({ cpeId: one.id, before: { online: 1 } });
    // It gets the previous configuration when it comes back.
    await one.comeBack(family);
    await expect
      .poll(async () => (await logOf(templateId)).find(({ cpeId }) => cpeId === one.id), untilLong)
      .toMatchObject({ version: 1, status: completed });
  });
});

describe("an operator", () => {
  test("starts each wave, halts, continues, and rolls back", async () => {
    const templateId = await templateOf(await fleet(3, family));
    await addObject(templateId, { name: "guests", maxConnections: 100 });
    const id = await start(templateId, { askEach: 1 });
    await untilObserved(id, 1);
    expect(await decideOn("GoOn", id)).toMatchObject({ code: 422 });
    await age(id);
    await untilState(templateId, "waiting");
    expect(await followed(templateId)).toEqual([1, null, null]);
    // What another operator read is over once the first has decided.
    const goOnFrom = (wave: number) =>
      world.api.post(decisions.GoOn.path, { rolloutId: id, state: "waiting", wave }, world.admin);
    for (const [wave, code] of [2, 1, 1].map((one, at) => [one, [412, 0, 412][at]] as const))
      expect(await goOnFrom(wave)).toMatchObject({ code });
    await untilObserved(id, 2);
    expect(await decideOn("Halt", id)).toMatchObject({ code: 0 });
    expect(await shown(templateId)).toMatchObject({
      state: "halted",
      reason: "operator",
      isBad: 0,
    });
    expect(await decideOn("Halt", id)).toMatchObject({ code: 422 });
    await age(id);
    expect(await step()).toBe(0);
    expect(await followed(templateId)).toEqual([1, 1, null]);
    expect(await decideOn("GoOn", id)).toMatchObject({ code: 0 });
    await untilObserved(id, 2);
    expect(await shown(templateId)).toMatchObject({ state: "running", wave: 2 });

    expect(await decideOn("RollBack", id)).toMatchObject({ code: 0 });
    expect(await followed(templateId)).toEqual([null, null, null]);
    expect(await shown(templateId)).toMatchObject({
      state: "rolledBack",
      isBad: 1,
      waves: [{ state: "rolledBack" }, { state: "rolledBack" }, { state: "ahead" }],
    });
    expect(await decideOn("RollBack", id)).toMatchObject({ code: 422 });
    const actions = await ownRows(sql<{ action: string }>`
      select action from weft.audit where resource = 'routerTemplate' and row_id = ${templateId}
        and action like 'routerTemplateRollout.%' order by id`);
    expect(actions.map(({ action }) => action.split(".")[1])).toEqual(
      "start step askForWave goOn step halt goOn rollBack".split(" "),
    );
    // What follows is a new version, for all of them.
    await publish(templateId);
    expect(await followed(templateId)).toEqual([2, 2, 2]);
  });

  test("of another tenant sees and decides nothing", async () => {
    const templateId = await templateOf([await world.addSite()]);
    const id = await start(templateId);
    const draft = wireDraft(
      ...(["enterprise", "valid", { groupid: 1, cpeId: 0, popId: 0 }] as const),
      { name: `beside-${made}` },
    );
    const other = newIdOf(await world.api.post(enterprise.ops.add.path, draft, world.admin));
    const token = await world.api.userToken({ enterpriseId: other, dataScope: 3 });
    for (const verb of ["GoOn", "Halt", "RollBack"] as const) {
      expect(await decideOn(verb, id, token)).toMatchObject({ code: 404 });
    }
    for (const [call, query] of [
      [rollouts.routerTemplateRolloutList, { templateId }],
      [rollouts.routerTemplateRolloutMembers, { rolloutId: id }],
    ] as const) {
      expect(await world.api.get(call.path, query, token)).toMatchObject({ code: 404 });
    }
    const plan = { templateId, waves: "1" };
    expect(
      await world.api.post(rollouts.routerTemplateRolloutStart.path, plan, token),
    ).toMatchObject({ code: 404 });
    expect((await shown(templateId)).state).toBe("running");
    expect(await decideOn("RollBack", id)).toMatchObject({ code: 0 });
  });
});

describe("while a rollout is open", () => {
  test("an edit of a CPE keeps its version; one that is added is in the last wave, and one that is removed leaves the rollout", async () => {
    const [one, two] = await fleet(2, family);
    const templateId = await templateOf([one, two] as FollowingEdge[]);
    await publish(templateId);
    await addObject(templateId, { name: "guests", maxConnections: 100 });
    const id = await start(templateId, { waves: "1" });
    await untilObserved(id, 1);
    const ids = { groupid: 1, cpeId: two?.id ?? 0, popId: 0 };
    const before = (await world.stateOf(ids.cpeId)).confirmed?.serial;
    const lan = wireDraft("lansection", "valid", ids, { network: "10.83.1.1/24", network6: "" });
    await world.post(lanSection.ops.add.path, lan);
    await expect
      .poll(async () => (await world.stateOf(ids.cpeId)).confirmed?.serial, untilLong)
      .not.toBe(before);
    expect(
      await ownRows(sql`select template_version from weft.node_state
        where node_id = ${ids.cpeId} order by serial desc limit 1`),
    ).toEqual([{ template_version: 1 }]);

    const late = await deviceAt(family);
    await relate(templateId, [late.id]);
    expect((await membersOf(id)).find(({ cpeId }) => cpeId === late.id)).toMatchObject({
      wave: 2,
      outcome: "ahead",
      startTime: null,
    });
    await world.post(templates.routerTemplateRelRemove.path, { templateId, cpeIds: ids.cpeId });
    expect((await shown(templateId)).cpes).toBe(2);
    expect((await logOf(templateId)).find(({ cpeId }) => cpeId === ids.cpeId)?.version).toBe(1);
    await world.api.post(cpe.ops.remove.path, { ids: String(late.id) }, world.admin);
    expect((await shown(templateId)).cpes).toBe(1);
    await age(id);
    // The last wave has no CPE any more.
    await untilState(templateId, "completed");
  });

  test("steps of two controllers do everything once, and a step that breaks off did nothing", async () => {
    const templateId = await templateOf([await world.addSite(), await world.addSite()]);
    await publish(templateId);
    await world.worker?.close();
    await ownRows(sql`create function weft.break_off() returns trigger language plpgsql as $$
      begin raise exception 'break off'; end $$`);
    await ownRows(sql`create trigger break_off before insert on weft.change
      for each row execute function weft.break_off()`);
    const id = await start(templateId, { waves: "1" });
    await ownRows(sql`update weft.template_rollout set state = 'completed'
      where id <> ${id} and state = 'running'`);
    // Without a device in contact a wave waits for its soak time.
    await ownRows(sql`update weft.template_rollout
      set since = since - interval '2 hours' where id = ${id}`);
    const waves = [createWaves(world.pools, logger), createWaves(world.pools, logger)] as const;
    expect(await waves[0].run()).toBe(1);
    expect(failures).toEqual([]);
    expect(await waves[0].run()).toBe(0);
    expect(failures).toEqual([id]);
    expect(await followed(templateId)).toEqual([1, 1]);
    expect((await membersOf(id)).map(({ outcome }) => outcome)).toEqual(["ahead", "ahead"]);

    await ownRows(sql`drop trigger break_off on weft.change`);
    for (let round = 0; round < 5; round += 1) await Promise.all(waves.map((wave) => wave.run()));
    expect(await followed(templateId)).toEqual([2, 1]);
    const log = await logOf(templateId);
    expect(log.filter(({ version }) => version === 2)).toHaveLength(1);
    const changes = await ownRows(sql`select from weft.change
      where cause = 'system: routerTemplateRollout.step' and not done`);
    expect(changes).toHaveLength(1);
    expect(await decideOn("RollBack", id)).toMatchObject({ code: 0 });
    expect((await logOf(templateId)).map(({ version, status }) => [version, status])).toEqual([
      [1, 0],
      [2, cancelled],
      [1, 0],
      [1, cancelled],
    ]);
    await world.startWorker();
  });
});
