/** Templates that include all sites of an enterprise, those of later as well. */
import { allResources } from "@weft/contract/all-endpoints.ts";
import { enrolmentApprove, enrolmentList } from "@weft/contract/domains/devices/enrolment.ts";
import * as templates from "@weft/contract/domains/templates/router-template.ts";
import * as targets from "@weft/contract/domains/templates/template-target.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTakeIn } from "#domains/templates/router-template/public.ts";
import { FollowingEdge } from "../../../../test/following-edge.ts";
import { newName } from "../../../../test/policy-world.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";
import { WavesWorld } from "../../../../test/waves-world.ts";

type Logged = OutputOf<typeof templates.routerTemplateLogList>[number];
type Target = OutputOf<typeof targets.routerTemplateTargetList>[number];

let waves: WavesWorld;
let [shops, stranger] = [] as unknown as [Tenant, Tenant];
beforeAll(async () => {
  waves = await WavesWorld.start();
  shops = await makeTenant(waves.world.api, waves.world.admin, "shops");
  stranger = await makeTenant(waves.world.api, waves.world.admin, "stranger");
}, 120_000);
afterAll(() => waves.close());

const api = () => waves.world.api;
const admin = () => waves.world.admin;
const addTemplate = async (token = admin()): Promise<number> =>
  newIdOf(
    await api().post(
      templates.routerTemplate.ops.add.path,
      { templateName: newName(), remark: "" },
      token,
    ),
  );
const cover = (templateId: number, groupid: number, token = admin()) =>
  api().post(targets.routerTemplateTargetAdd.path, { templateId, groupid }, token);
const uncover = (templateId: number, groupid: number, token = admin()) =>
  api().post(targets.routerTemplateTargetRemove.path, { templateId, groupid }, token);
const listed = async (templateId: number): Promise<Target[]> =>
  (await api().get(targets.routerTemplateTargetList.path, { templateId }, admin()))
    .data as Target[];
const members = async (templateId: number): Promise<number[]> =>
  (
    (await api().get(templates.routerTemplateCpes.path, { templateId }, admin())).data as {
      id: number;
    }[]
  )
    .map(({ id }) => id)
    .sort((a, b) => a - b);
const addCpe = async (groupid: number): Promise<number> => {
  const name = newName();
  const draft = wireDraft(
    "cpe",
    "valid",
    { groupid, cpeId: 0, popId: 0 },
    { groupid, alias: name, sn: name, areaId: "" },
  );
  return newIdOf(await api().post(allResources.cpe.ops.add.path, draft, admin()));
};
const relate = (call: { readonly path: string }, templateId: number, cpeIds: number[]) =>
  api().post(call.path, { templateId, cpeIds: cpeIds.join() }, admin());
/** A turn beside the worker's, so that a test does not wait for it. */
const takeIn = () => createTakeIn(waves.world.pools, pino({ level: "silent" })).run();
const afterTurn = async <Value>(read: () => Promise<Value>): Promise<Value> => {
  await takeIn();
  return read();
};
const follows = async (nodeId: number) => {
  const { rows } = await sql<{ version: number | null }>`
    select version from weft.router_template_node where node_id = ${nodeId}`.execute(
    waves.world.pools.worker.db,
  );
  return rows[0]?.version;
};

describe("an enterprise of a template", () => {
  let templateId: number;
  let later: number;

  test("brings its present CPEs in with the next issue", async () => {
    templateId = await addTemplate();
    const { groupid, cpeId } = shops.ids;
    expect(await cover(templateId, groupid)).toMatchObject({ code: 0, data: { added: 1 } });
    expect(await members(templateId)).toEqual([cpeId]);
    expect(await follows(cpeId)).toBeNull();
    expect(await listed(templateId)).toMatchObject([
      { groupid, enterpriseName: "shops", cpes: 1, members: 1, elsewhere: 0, excluded: 0 },
    ]);
    await waves.publish(templateId);
    expect(await follows(cpeId)).toBe(1);
  });

  test("brings a CPE in that is added later, with the version that is published", async () => {
    later = await addCpe(shops.ids.groupid);
    await expect
      .poll(() => afterTurn(() => members(templateId)), { timeout: 60_000 })
      .toEqual([shops.ids.cpeId, later]);
    expect(await follows(later)).toBe(1);
    const { data } = await api().get(
      templates.routerTemplateLogList.path,
      { templateId, limit: 10 },
      admin(),
    );
    expect(data).toContainEqual(expect.objectContaining({ cpeId: later, version: 1 }));
    const { rows } = await api().database.pools.owner.pg.query(
      "select login_name, new_value from weft.audit where action = 'routerTemplateTarget.takeIn'",
    );
    expect(rows).toMatchObject([{ login_name: "system", new_value: { cpeIds: [later] } }]);
  });

  test("leaves out a CPE that was removed by hand, until it is added by hand", async () => {
    await relate(templates.routerTemplateRelRemove, templateId, [later]);
    await takeIn();
    expect(await members(templateId)).toEqual([shops.ids.cpeId]);
    expect(await listed(templateId)).toMatchObject([{ cpes: 2, members: 1, excluded: 1 }]);
    await relate(templates.routerTemplateRelAdd, templateId, [later]);
    expect(await listed(templateId)).toMatchObject([{ members: 2, excluded: 0 }]);
  });

  test("is of one template, which the refusal names", async () => {
    const second = await addTemplate();
    const refused = await cover(second, shops.ids.groupid);
    expect(refused).toMatchObject({ code: 422 });
    const name = (
      (await api().get(templates.routerTemplateCombo.path, {}, admin())).data as {
        templateId: number;
        templateName: string;
      }[]
    ).find((one) => one.templateId === templateId)?.templateName;
    expect(refused.msg).toContain(`“${name}”`);
  });

  test("gives a new CPE the version before one that is bad, and of the one in waves its last wave", async () => {
    const [first] = await waves.fleet(1);
    await relate(templates.routerTemplateRelAdd, templateId, [first?.id ?? 0]);
    await waves.addObject(templateId, "second");
    const rolloutId = await waves.startWaves(templateId, { waves: "1,100%" });
    const during = await addCpe(shops.ids.groupid);
    await expect.poll(() => afterTurn(() => follows(during)), { timeout: 60_000 }).toBe(1);
    expect(await waves.member(rolloutId, { id: during })).toMatchObject({ wave: 2 });
    await waves.decide("rollBack", rolloutId);
    const after = await addCpe(shops.ids.groupid);
    await expect.poll(() => afterTurn(() => follows(after)), { timeout: 60_000 }).toBe(1);
  });

  test("that is left brings no more in and keeps what is in", async () => {
    expect(await uncover(templateId, shops.ids.groupid)).toMatchObject({ code: 0 });
    const kept = await members(templateId);
    const id = await addCpe(shops.ids.groupid);
    await takeIn();
    expect(await members(templateId)).toEqual(kept);
    expect(await follows(id)).toBeUndefined();
    expect(await uncover(templateId, shops.ids.groupid)).toMatchObject({
      code: 400,
      issues: [{ path: "groupid", rule: "unknown" }],
    });
  });
});

test("a site that is approved later gets the template with its first configuration", async () => {
  const { world } = waves;
  const templateId = await addTemplate();
  await waves.addObject(templateId, "guests");
  await addCpe(1);
  await cover(templateId, 1);
  await waves.publish(templateId);
  const site = await world.addSite();
  await world.addLan(site, site.id);
  const edge = world.edge(site.sn);
  const claim = await world.claim(site.id, false);
  expect(await edge.enrol(claim)).toMatchObject({ body: { state: "pending" } });
  await expect.poll(() => afterTurn(() => follows(site.id)), { timeout: 60_000 }).toBe(1);
  const asked = { nodeId: site.id, state: "pending" };
  const pending = (await api().get(enrolmentList.path, asked, admin())).data as { id: number }[];
  await world.post(enrolmentApprove.path, { ids: pending[0]?.id });
  expect(await edge.enrol(claim)).toMatchObject({ body: { state: "approved" } });
  const device = await FollowingEdge.of(site.id, edge, "routerConnlimit");
  const log = { templateId, limit: 100 };
  const statusOf = async () =>
    ((await api().get(templates.routerTemplateLogList.path, log, admin())).data as Logged[]).find(
      ({ cpeId }) => cpeId === site.id,
    )?.status;
  await expect.poll(statusOf, { timeout: 60_000 }).toBe(1);
  device.leave();
}, 120_000);

test("an enterprise of another tenant cannot be included, nor any in a template of another tenant", async () => {
  const own = await addTemplate(shops.token);
  const foreign = await cover(own, stranger.ids.groupid, shops.token);
  const absent = await cover(own, 987_654_321, shops.token);
  expect(foreign).toMatchObject({ code: 400, issues: [{ path: "groupid", rule: "unknown" }] });
  expect(foreign.issues).toEqual(absent.issues);
  const theirs = await addTemplate(stranger.token);
  expect(await cover(theirs, shops.ids.groupid, shops.token)).toMatchObject({ code: 404 });
  expect(await uncover(theirs, stranger.ids.groupid, shops.token)).toMatchObject({ code: 404 });
  // What an enterprise does not serve is not included by who sees both.
  expect(await cover(own, stranger.ids.groupid)).toMatchObject({ code: 400 });
});

test("who sees own rows only takes no enterprise in", async () => {
  const token = await api().userToken({
    enterpriseId: shops.ids.groupid,
    dataScope: 2,
    permissions: ["routerTemplateList", "routerTemplateAdd", "routerTemplateEdit"],
  });
  const own = await addTemplate(token);
  expect(await cover(own, shops.ids.groupid, token)).toMatchObject({ code: 422 });
});
