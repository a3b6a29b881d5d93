/** Versions of a template on real rows: what they hold, where they act, and the return to them. */
import { policyFamilies, policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import * as rollouts from "@weft/contract/domains/templates/rollout.ts";
import * as templates from "@weft/contract/domains/templates/router-template.ts";
import * as versions from "@weft/contract/domains/templates/template-version.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FollowingEdge } from "../../../../test/following-edge.ts";
import { makePolicyRows, makeTemplate } from "../../../../test/policy-world.ts";
import { makeTenant } from "../../../../test/tenants.ts";
import { WavesWorld } from "../../../../test/waves-world.ts";

type Row = versions.TemplateVersionRow;
type Compared = OutputOf<typeof versions.routerTemplateVersionCompare>;

let waves: WavesWorld;
let devices: FollowingEdge[];
beforeAll(async () => {
  waves = await WavesWorld.start();
}, 120_000);
afterAll(() => waves.close());

const admin = () => waves.world.admin;
const api = () => waves.world.api;
const listed = async (templateId: number, token = admin()): Promise<Row[]> =>
  (await api().get(versions.routerTemplateVersionList.path, { templateId }, token)).data as Row[];
const compare = (templateId: number, from: number | "", to: number | "", token = admin()) =>
  api().get(versions.routerTemplateVersionCompare.path, { templateId, from, to }, token);
const compared = async (templateId: number, from: number | "", to: number | "") =>
  (await compare(templateId, from, to)).data as Compared;
const restore = (templateId: number, version: number, more: object = {}, token = admin()) =>
  api().post(versions.routerTemplateVersionRestore.path, { templateId, version, ...more }, token);
const limits = policyFamily("routerConnlimit").template.resource.ops;
const draftOf = async (templateId: number) =>
  (await api().get(limits.list.path, { templateId, limit: 100 }, admin())).data as {
    id: number;
    name: string;
  }[];
const names = async (templateId: number) => (await draftOf(templateId)).map(({ name }) => name);

describe("a template with three versions", () => {
  let templateId: number;
  let first: { id: number; name: string }[];

  test("has one that was published to all, and one that was rolled back", async () => {
    devices = await waves.fleet(2);
    templateId = await waves.templateOf(devices);
    await waves.addObject(templateId, "guests");
    first = await draftOf(templateId);
    await waves.publish(templateId);
    await waves.addObject(templateId, "printers");
    await waves.publish(templateId);
    await api().post(limits.remove.path, { templateId, ids: String(first[0]?.id) }, admin());
    const rolloutId = await waves.startWaves(templateId);
    await waves.untilMember(rolloutId, devices[0] as FollowingEdge, { outcome: "observed" });
    await waves.decide("rollBack", rolloutId);
    expect((await listed(templateId)).map(({ version }) => version)).toEqual([3, 2, 1]);
  }, 120_000);

  test("lists who published what when, on how many CPEs it acts, and which was bad", async () => {
    await expect
      .poll(async () => (await listed(templateId)).map(({ acts }) => acts), { timeout: 60_000 })
      .toEqual([0, 2, 0]);
    const rows = await listed(templateId);
    expect(rows).toMatchObject([
      { version: 3, objects: 1, cpes: 0, rolloutState: "rolledBack", isBad: 1, createBy: "admin" },
      { version: 2, objects: 2, cpes: 2, rolloutState: null, isBad: 0 },
      { version: 1, objects: 1, cpes: 0, families: [{ family: "routerConnlimit", count: 1 }] },
    ]);
    const paged = await api().get(
      versions.routerTemplateVersionList.path,
      { templateId, page: 2, limit: 2 },
      admin(),
    );
    expect(paged).toMatchObject({ count: 3, data: [{ version: 1 }] });
  });

  test("compares two versions, and a version with the draft", async () => {
    expect(await compared(templateId, 1, 2)).toMatchObject({
      from: 1,
      to: 2,
      count: 1,
      objects: [{ kind: "routerConnlimit", key: "printers", change: "added" }],
    });
    expect(await compared(templateId, "", 1)).toMatchObject({
      from: null,
      to: 1,
      count: 2,
      objects: [
        { key: "printers", change: "removed" },
        { key: "guests", change: "added" },
      ],
    });
    expect(await compare(templateId, 9, "")).toMatchObject({
      code: 400,
      issues: [{ path: "from", rule: "unknown" }],
    });
  });

  test("gives its draft what a version held, with the ids of then; no CPE gets it", async () => {
    const { draft } = await compared(templateId, "", 1);
    expect(await restore(templateId, 1, { draft })).toMatchObject({ code: 0 });
    expect((await draftOf(templateId)).map(({ id, name }) => ({ id, name }))).toEqual(
      first.map(({ id, name }) => ({ id, name })),
    );
    expect((await compared(templateId, "", 1)).count).toBe(0);
    expect((await listed(templateId)).map(({ cpes }) => cpes)).toEqual([0, 2, 0]);
    // What CPEs follow is the version, which holds what it held.
    expect(await compared(templateId, 1, 2)).toMatchObject({ count: 1 });
    const { rows } = await api().database.pools.owner.pg.query(
      `select action, new_value from weft.audit where resource = 'routerTemplate' and row_id = $1
        order by id desc limit 1`,
      [templateId],
    );
    expect(rows).toMatchObject([
      { action: "routerTemplateVersion.restoreDraft", new_value: { version: 1, changes: 2 } },
    ]);
  });

  test("refuses to overwrite a draft that was changed after it was read", async () => {
    const { draft } = await compared(templateId, "", 2);
    await waves.addObject(templateId, "meantime");
    const held = await names(templateId);
    expect(await restore(templateId, 2, { draft })).toMatchObject({ code: 412 });
    expect(await names(templateId)).toEqual(held);
    const { draft: seen } = await compared(templateId, "", 2);
    expect(await restore(templateId, 2, { draft: seen })).toMatchObject({ code: 0 });
    expect((await names(templateId)).sort()).toEqual(["guests", "printers"]);
  });

  test("is published again from a version, to all or in waves; the draft stays", async () => {
    await waves.addObject(templateId, "unfinished");
    const held = await names(templateId);
    const preview = await api().get(
      templates.routerTemplatePreview.path,
      { templateId, fromVersion: 1 },
      admin(),
    );
    expect(preview.data).toMatchObject({ version: 4, objects: expect.any(Number), cpes: 2 });
    const differences = (preview.data as OutputOf<typeof templates.routerTemplatePreview>).groups;
    expect(differences[0]?.differences).toContainEqual(
      expect.objectContaining({ key: "printers", change: "removed" }),
    );
    const rolloutId = await waves.startWaves(templateId, { fromVersion: 1, waves: "100%" });
    expect((await listed(templateId))[0]).toMatchObject({ version: 4, sameAs: 1 });
    expect(await names(templateId)).toEqual(held);
    for (const device of devices)
      await waves.untilMember(rolloutId, device, { outcome: "observed" });
    await waves.age(rolloutId);
    await waves.untilRollout(templateId, { state: "completed" });
    const published = await api().get(
      templates.routerTemplateIssue.path,
      { templateId, fromVersion: 2 },
      admin(),
    );
    expect(published).toMatchObject({ code: 0 });
    expect((await listed(templateId))[0]).toMatchObject({ version: 5, sameAs: 2, cpes: 2 });
    const absent = { templateId, fromVersion: 77, waves: "1" };
    expect(
      await api().post(rollouts.routerTemplateRolloutStart.path, absent, admin()),
    ).toMatchObject({ code: 400, issues: [{ path: "fromVersion", rule: "unknown" }] });
  });
});

test("objects of every family are restored unchanged", async () => {
  const templateId = await makeTemplate(api(), admin());
  await makePolicyRows(api(), [admin()], "template", { templateId });
  await api().post(
    templates.routerTemplateRelAdd.path,
    { templateId, cpeIds: String((await waves.world.addSite()).id) },
    admin(),
  );
  await waves.publish(templateId);
  const [{ families }] = (await listed(templateId)) as [Row];
  // Ports that no one set are no content.
  expect(families.length).toBeGreaterThanOrEqual(policyFamilies.length - 1);
  for (const { template } of policyFamilies.toReversed()) {
    const { ops, verbs } = template.resource;
    if (!verbs.includes("remove")) continue;
    for (const list of [ops.list, ...Object.values(template.lists)]) {
      const { data } = await api().get(list.path, { templateId, limit: 100 }, admin());
      const ids = ((data ?? []) as { id: number }[]).map(({ id }) => id).join();
      if (ids !== "") await api().post(ops.remove.path, { templateId, ids }, admin());
    }
  }
  expect((await compared(templateId, "", 1)).count).toBeGreaterThan(0);
  expect(await restore(templateId, 1)).toMatchObject({ code: 0 });
  expect(await compared(templateId, "", 1)).toMatchObject({ count: 0 });
  const { rows } = await api().database.pools.owner.pg.query(
    "select pppoe_password from weft.router_interface_line where template_id = $1",
    [templateId],
  );
  expect(rows.length).toBeGreaterThan(0);
});

test("a template of another tenant has no versions, and is not restored", async () => {
  const other = await makeTenant(api(), admin(), "stranger");
  const own = await makeTemplate(api(), admin());
  for (const answer of [
    await api().get(versions.routerTemplateVersionList.path, { templateId: own }, other.token),
    await compare(own, "", "", other.token),
    await restore(own, 1, {}, other.token),
  ]) {
    expect(answer).toMatchObject({ code: 404 });
  }
  const absent = await restore(987_654_321, 1, {}, other.token);
  expect(absent).toMatchObject({ code: 404 });
});
