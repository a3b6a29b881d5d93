/** Entries of the operation log are undone by the write that their inverse is. */
import { allResources } from "@weft/contract/all-endpoints.ts";
import { operaRecordList, operaRecordUndo } from "@weft/contract/domains/access/record.ts";
import { undoableBy, undoableModules } from "@weft/contract/domains/access/record-undo.ts";
import { lanSectionEnableDirect } from "@weft/contract/domains/devices/lan-section.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mountedResource } from "#kernel/mount-resource.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTemplate, policyDraft } from "../../../../test/policy-world.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

type Entry = OutputOf<typeof operaRecordList>[number];
type Undone = OutputOf<typeof operaRecordUndo>;

let api: TestApi;
let [home, other] = [] as unknown as [Tenant, Tenant];
beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
}, 120_000);
afterAll(() => api.close());

const entries = async (module: string, rowId: number, token = home.token): Promise<Entry[]> =>
  (await api.get(operaRecordList.path, { module, rowId, limit: 50 }, token)).data as Entry[];
const newest = async (module: string, rowId: number, token = home.token): Promise<Entry> =>
  (await entries(module, rowId, token))[0] as Entry;
const undo = (id: number, more: object = {}, token = home.token) =>
  api.post(operaRecordUndo.path, { id, ...more }, token);

const { staticroute, lansection, blacklist, cpe, xaclrules } = allResources;
const rowsOf = async (resource: AnyResource, query: object, token = home.token) =>
  (await api.get(resource.ops.list.path, { limit: 100, ...query }, token)).data as Record<
    string,
    unknown
  >[];
const routes = () => rowsOf(staticroute, { nCpeID: home.ids.cpeId });
let made = 0;
const routeDraft = (fields: object = {}) => {
  made += 1;
  const destination = `10.201.${made}.0/24`;
  return wireDraft("staticroute", "valid", home.ids, { destination, ...fields });
};
const addRoute = async (fields: object = {}) => {
  const draft = routeDraft(fields);
  return { draft, id: newIdOf(await api.post(staticroute.ops.add.path, draft, home.token)) };
};
const editRoute = (id: number, draft: object, token = home.token) =>
  api.post(staticroute.ops.edit.path, { ...draft, nID: id }, token);
const routeOf = async (id: number) => (await routes()).find(({ nID }) => nID === id);

describe("an edit", () => {
  test("is shown before, undone once, and can be done again", async () => {
    const { id, draft } = await addRoute({ metric: 10 });
    await editRoute(id, { ...draft, metric: 77 });
    const entry = await newest("staticroute", id);
    expect(entry).toMatchObject({ undo: "possible", undoneBy: "" });
    const checked = await undo(entry.id, { check: 1 });
    expect(checked).toMatchObject({ code: 0, data: { verb: "edit" } });
    expect((checked.data as Undone).changes).toMatchObject([{ field: "metric", old: 77, new: 10 }]);
    expect(await routeOf(id)).toMatchObject({ metric: 77 });
    expect(await entries("staticroute", id)).toHaveLength(2);

    expect(await undo(entry.id)).toMatchObject({ code: 0 });
    expect(await routeOf(id)).toMatchObject({ metric: 10 });
    const [written, before] = await entries("staticroute", id);
    expect(before).toMatchObject({ id: entry.id, undo: "done" });
    expect(before?.undoneBy).not.toBe("");
    expect(written).toMatchObject({ action: "operaRecord.undo", undo: "possible" });
    expect(written?.story[1]).toContain("undid");
    expect(await undo(entry.id)).toMatchObject({ code: 422 });
    expect(await undo(written?.id ?? 0)).toMatchObject({ code: 0 });
    expect(await routeOf(id)).toMatchObject({ metric: 77 });
  });

  test("is refused once another user changed the row, and names that user", async () => {
    const { id, draft } = await addRoute({ metric: 10 });
    await editRoute(id, { ...draft, metric: 20 });
    const entry = await newest("staticroute", id);
    const colleague = await api.userToken({
      enterpriseId: home.ids.groupid,
      dataScope: 3,
      permissions: ["configStaticroute"],
    });
    expect(await editRoute(id, { ...draft, metric: 20, remark: "x" }, colleague)).toMatchObject({
      code: 0,
    });
    const [{ loginName }] = (await entries("staticroute", id)) as [Entry];
    for (const check of [0, 1]) {
      const refused = await undo(entry.id, { check });
      expect(refused).toMatchObject({ code: 412 });
      expect(refused.msg).toContain(loginName);
    }
    expect(await routeOf(id)).toMatchObject({ metric: 20, remark: "x" });
  });

  test("of two at the same time one undoes it", async () => {
    const { id, draft } = await addRoute({ metric: 10 });
    await editRoute(id, { ...draft, metric: 20 });
    const entry = await newest("staticroute", id);
    const both = await Promise.all([undo(entry.id), undo(entry.id)]);
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await routeOf(id)).toMatchObject({ metric: 10 });
    expect(await entries("staticroute", id)).toHaveLength(3);
  });

  test("needs the permission of its own call", async () => {
    const draft = wireDraft("xaclrules", "valid", home.ids, { name: "kept", nSection: 7 });
    const id = newIdOf(await api.post(xaclrules.ops.add.path, draft, home.token));
    await api.post(xaclrules.ops.edit.path, { ...draft, nSection: 8, nID: id }, home.token);
    const entry = await newest("xaclrules", id);
    const reader = await api.userToken({
      enterpriseId: home.ids.groupid,
      dataScope: 3,
      permissions: ["configAcl"],
    });
    expect(await newest("xaclrules", id, reader)).toMatchObject({ id: entry.id, undo: null });
    for (const check of [1, 0]) {
      expect(await undo(entry.id, { check }, reader)).toMatchObject({ code: 403 });
    }
    const listed = await rowsOf(xaclrules, { nCpeID: home.ids.cpeId });
    expect(listed.find(({ nID }) => nID === id)).toMatchObject({ nSection: 8 });
  });

  test("passes the rules of its own call", async () => {
    const lan = (network: string) =>
      wireDraft("lansection", "valid", home.ids, { network, network6: "", vlan: "" });
    const { add, edit } = lansection.ops;
    const first = lan("10.204.0.1/24");
    const id = newIdOf(await api.post(add.path, first, home.token));
    await api.post(edit.path, { ...first, network: "10.205.0.1/24", id }, home.token);
    const entry = await newest("lansection", id);
    // Its former addresses are another's by now.
    newIdOf(await api.post(add.path, lan("10.204.0.1/24"), home.token));
    const direct = await api.post(edit.path, { ...first, id }, home.token);
    expect(direct).toMatchObject({ code: 400, issues: [{ path: "network" }] });
    const undone = await undo(entry.id);
    expect(undone).toMatchObject({ code: 400 });
    expect(undone.issues).toEqual(direct.issues);
  });
});

describe("rows that came and went", () => {
  test("an addition is undone by a removal, and that by an addition", async () => {
    const { id, draft } = await addRoute();
    const added = await newest("staticroute", id);
    expect(await undo(added.id)).toMatchObject({ code: 0, data: { verb: "remove" } });
    expect(await routeOf(id)).toBeUndefined();
    const removed = await newest("staticroute", id);
    expect(removed).toMatchObject({ undo: "possible" });
    expect(await undo(removed.id)).toMatchObject({ code: 0, data: { verb: "add" } });
    const back = (await routes()).filter(({ destination }) => destination === draft.destination);
    expect(back).toHaveLength(1);
    expect(await undo(removed.id)).toMatchObject({ code: 422 });
    expect(await routes()).toContainEqual(expect.objectContaining({ nID: back[0]?.nID }));
  });

  test("with rows of other tables, in every place that has them", async () => {
    const draft = wireDraft("blacklist", "valid", home.ids, { value: "203.0.114.0/24" });
    const id = newIdOf(await api.post(blacklist.ops.add.path, draft, home.token));
    await api.post(blacklist.ops.remove.path, { ids: id }, home.token);
    expect(await undo((await newest("blacklist", id)).id)).toMatchObject({ code: 0 });
    expect(await rowsOf(blacklist, { value: "203.0.114" })).toMatchObject([
      { cpeIds: String(home.ids.cpeId), enable: 1 },
    ]);
  });

  test.each(["template", "manage"] as const)("policy objects of a %s", async (scope) => {
    const owner =
      scope === "template"
        ? { templateId: await makeTemplate(api, home.token) }
        : { popId: home.ids.popId };
    const { resource } = policyFamily("routerConnlimit")[scope];
    const fields = policyDraft(policyFamily("routerConnlimit"), scope, owner, {}, { name: "a" });
    const id = newIdOf(await api.post(resource.ops.add.path, fields, home.token));
    const edited = { ...fields, id, maxConnections: 4321 };
    expect(await api.post(resource.ops.edit.path, edited, home.token)).toMatchObject({ code: 0 });
    expect(await undo((await newest(resource.name, id)).id)).toMatchObject({ code: 0 });
    const listed = () => rowsOf(resource, owner);
    expect(await listed()).toMatchObject([{ id, maxConnections: fields.maxConnections }]);
    const remove = { ...owner, ids: id };
    expect(await api.post(resource.ops.remove.path, remove, home.token)).toMatchObject({ code: 0 });
    expect(await undo((await newest(resource.name, id)).id)).toMatchObject({ code: 0 });
    expect(await listed()).toMatchObject([{ name: "a", maxConnections: fields.maxConnections }]);
  });
});

test("a switch is undone, also one that recorded nothing but itself", async () => {
  const draft = wireDraft("lansection", "valid", home.ids, {
    network: "10.203.0.1/24",
    network6: "",
    enableDirect: 0,
  });
  const id = newIdOf(await api.post(lansection.ops.add.path, draft, home.token));
  const flip = { nCpeID: home.ids.cpeId, ids: id, enableDirect: 1 };
  expect(await api.post(lanSectionEnableDirect.path, flip, home.token)).toMatchObject({ code: 0 });
  expect(await undo((await newest("lansection", id)).id)).toMatchObject({ code: 0 });
  expect(
    (await rowsOf(lansection, { nCpeID: home.ids.cpeId })).find((row) => row.id === id),
  ).toMatchObject({ enableDirect: 0, network: "10.203.0.1/24" });
});

test("an edit of a CPE is undone with its other values as they are", async () => {
  const id = home.ids.cpeId;
  const [row] = (await rowsOf(cpe, {})).filter((row) => row.id === id);
  const fields = Object.fromEntries(
    Object.keys((cpe.draft as unknown as { shape: object }).shape).map((field) => [
      field,
      row?.[field] ?? "",
    ]),
  );
  const edit = { ...fields, id, alias: "renamed" };
  expect(await api.post(cpe.ops.edit.path, edit, home.token)).toMatchObject({ code: 0 });
  expect(await undo((await newest("cpe", id)).id)).toMatchObject({ code: 0 });
  expect((await rowsOf(cpe, {})).find((row) => row.id === id)).toMatchObject({
    alias: fields.alias,
  });
});

test("an entry of another tenant is answered like a missing one", async () => {
  const { id, draft } = await addRoute({ metric: 10 });
  await editRoute(id, { ...draft, metric: 20 });
  const entry = await newest("staticroute", id);
  const foreign = await undo(entry.id, {}, other.token);
  const absent = await undo(987_654_321, {}, other.token);
  expect(foreign).toMatchObject({ code: 404 });
  expect([foreign.msg, foreign.data]).toEqual([absent.msg, absent.data]);
  expect(await routeOf(id)).toMatchObject({ metric: 20 });
});

test("an action without an inverse is reported as such", async () => {
  const { rows } = await api.database.pools.owner.pg.query(
    "select id from weft.audit where resource = 'enterprise' and enterprise_id = $1 limit 1",
    [home.ids.groupid],
  );
  const id = Number(rows[0]?.id);
  expect(await undo(id)).toMatchObject({ code: 422 });
});

test("every module with an inverse is mounted, and its rows can be read alone", () => {
  expect(undoableModules.length).toBeGreaterThan(60);
  const lacking = undoableModules.filter((module) => {
    const mounted = mountedResource(api.app.weft, module);
    return !mounted || (undoableBy(module, "edit") !== null && !mounted.store.read);
  });
  expect(lacking).toEqual([]);
});
