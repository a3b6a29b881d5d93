/** IP and URL groups of enterprises in the states of nodes: whose groups take their members, and who is compiled again. */
import type { PolicySection } from "@weft/contract/device/v1/policy.ts";
import { operaRecordList, operaRecordUndo } from "@weft/contract/domains/access/record.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type {
  GroupUsers,
  GroupUses,
} from "@weft/contract/domains/policies/enterprise-group-fields.ts";
import {
  ipgroup,
  ipgroupPreview,
  ipgroupUses,
} from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import {
  urlgroup,
  urlgroupPreview,
  urlgroupUses,
} from "@weft/contract/domains/policies/enterprise-url-group.ts";
import {
  type PolicyFamilyName,
  policyFamily,
} from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyRefs } from "@weft/contract/domains/policies/policy-samples.ts";
import * as templates from "@weft/contract/domains/templates/router-template.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import {
  mergedPolicyOf,
  policyContextOf,
  policySectionOf,
  readView,
} from "#domains/delivery/compile/public.ts";
import { policyFindings } from "#domains/policies/policy-finding/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { type OwnerInput, policyDraft } from "../../../../test/policy-world.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

const capabilities = [
  "routerIpgroup",
  "routerIpgroupdefine",
  "routerConnlimit",
  "routerUrlgroup",
  "routerUrl",
  "routerUrlrule",
].map((family) => ({ name: `policy.${family}`, can: true, reason: null }));
/** The enterprise above all others. */
const root = 1;

let api: TestApi;
let admin: string;
let home: Tenant;
let other: Tenant;

const post = async (path: string | undefined, fields: object): Promise<number> =>
  newIdOf(await api.post(path ?? "", fields, admin));
/** A call that gives no id. */
const act = async (path: string, fields: object): Promise<void> => {
  const { code, msg } = await api.post(path, fields, admin);
  if (code !== 0) throw new Error(`${path}: ${code} ${msg}`);
};
const addObject = (
  owner: OwnerInput,
  name: PolicyFamilyName,
  fields: object,
  refs: PolicyRefs = {},
): Promise<number> => {
  const family = policyFamily(name);
  const scope = "templateId" in owner ? "template" : "manage";
  const draft = policyDraft(family, scope, owner, refs, fields);
  return post(family[scope].resource.ops.add?.path, draft);
};

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  for (const { ids } of [home, other]) {
    const draft = wireDraft("lansection", "valid", ids, { interfaceName: "lan1" });
    await post(lanSection.ops.add.path, draft);
    await inScope(api.database.pools.owner, { kind: "all" }, (trx) =>
      sql`update weft.node_status set capabilities = ${JSON.stringify(capabilities)}::jsonb
        where node_id = ${ids.cpeId}`.execute(trx),
    );
  }
}, 120_000);
afterAll(() => api.close());

const viewOf = async ({ ids }: Tenant) => {
  const view = await api.database.pools.worker.db
    .transaction()
    .execute((trx) => readView(trx, ids.cpeId));
  if (!view) throw new Error("the CPE has a view");
  return view;
};
const policyOf = async (tenant: Tenant): Promise<PolicySection | null> =>
  policySectionOf(await viewOf(tenant));
const membersOf = async (tenant: Tenant) =>
  (await policyOf(tenant))?.sets.map(({ members }) => members.join());
const reasonsOf = async (tenant: Tenant) => {
  const view = await viewOf(tenant);
  return policyFindings(mergedPolicyOf(view), policyContextOf(view))
    .filter(({ effect }) => effect === "cannot")
    .map(({ family, reason, denies }) => [family, reason, denies].join(" "));
};
/** Nodes that are compiled again because of what is done. */
const compiledBy = async (work: () => Promise<unknown>): Promise<number[]> => {
  const { rows: before } = await sql<{ seq: number }>`
    select coalesce(max(seq), 0)::int as seq from weft.change`.execute(api.database.pools.owner.db);
  await work();
  const { rows } = await sql<{ id: number }>`
    select distinct unnest(node_ids)::int as id from weft.change
    where seq > ${before[0]?.seq ?? 0} order by 1`.execute(api.database.pools.owner.db);
  return rows.map(({ id }) => id);
};

test("a group of a CPE without entries takes the members of its enterprise's group of that name", async () => {
  const { groupid, cpeId } = home.ids;
  const ipgroupId = await addObject({ cpeId }, "routerIpgroup", { name: "offices" });
  await addObject({ cpeId }, "routerConnlimit", { ipgroupId });
  expect(await reasonsOf(home)).toEqual(["routerConnlimit emptyGroup true"]);
  expect(await policyOf(home)).toBeNull();

  const of = { name: "offices", groupid, share: 0, remark: "" };
  let id = 0;
  const added = await compiledBy(async () => {
    id = await post(ipgroup.ops.add.path, { ...of, members: "10.9.0.0/16,fd00:9::/64" });
  });
  expect(added).toEqual([cpeId]);
  expect(await membersOf(home)).toEqual(["10.9.0.0/16,fd00:9::/64"]);
  expect(await reasonsOf(home)).toEqual([]);

  const edited = await compiledBy(() =>
    act(ipgroup.ops.edit.path, { ...of, id, members: "10.8.0.1" }),
  );
  expect(edited).toEqual([cpeId]);
  expect(await membersOf(home)).toEqual(["10.8.0.1"]);

  await addObject({ cpeId }, "routerIpgroupdefine", { ipgroupId, ip: "10.7.0.1" });
  expect(await membersOf(home)).toEqual(["10.7.0.1"]);
  await sql`delete from weft.router_ip_entry where ipgroup_id = ${ipgroupId}`.execute(
    api.database.pools.owner.db,
  );

  const renamed = await compiledBy(() =>
    act(ipgroup.ops.edit.path, { ...of, id, name: "labs", members: "10.8.0.1" }),
  );
  expect(renamed).toEqual([cpeId]);
  expect(await reasonsOf(home)).toEqual(["routerConnlimit emptyGroup true"]);
  expect(await compiledBy(() => act(ipgroup.ops.remove.path, { ids: `${id}` }))).toEqual([]);
}, 120_000);

test("a group that a parent enterprise shares is used where no group of the enterprise has its name, and nowhere while it is not shared", async () => {
  const { groupid, cpeId } = other.ids;
  const ipgroupId = await addObject({ cpeId }, "routerIpgroup", { name: "cloud" });
  await addObject({ cpeId }, "routerConnlimit", { ipgroupId });
  const of = { name: "cloud", groupid: root, members: "192.0.2.1", remark: "" };
  let id = 0;
  const kept = await compiledBy(async () => {
    id = await post(ipgroup.ops.add.path, { ...of, share: 0 });
  });
  expect(kept).toEqual([]);
  expect(await policyOf(other)).toBeNull();
  const share = (shared: number) => act(ipgroup.ops.edit.path, { ...of, id, share: shared });
  expect(await compiledBy(() => share(1))).toEqual([cpeId]);
  expect(await membersOf(other)).toEqual(["192.0.2.1"]);
  const own = { ...of, groupid, members: "192.0.2.2", share: 0 };
  const ownId = await post(ipgroup.ops.add.path, own);
  expect(await membersOf(other)).toEqual(["192.0.2.2"]);
  const removed = await compiledBy(() => act(ipgroup.ops.remove.path, { ids: `${ownId}` }));
  expect(removed).toEqual([cpeId]);
  expect(await membersOf(other)).toEqual(["192.0.2.1"]);
  const move = (parentId: number) =>
    sql`update weft.enterprise set parent_id = ${parentId} where id = ${groupid}`.execute(
      api.database.pools.owner.db,
    );
  expect(await compiledBy(() => move(home.ids.groupid))).toContain(cpeId);
  expect(await compiledBy(() => share(0))).toEqual([cpeId]);
  expect(await reasonsOf(other)).toEqual(["routerConnlimit emptyGroup true"]);
}, 120_000);

test("a group of a template means the group of each site's enterprise", async () => {
  const { groupid, cpeId } = home.ids;
  const templateId = await post(templates.routerTemplate.ops.add.path, {
    templateName: "Shops",
    groupid,
    remark: "",
  });
  const owner = { templateId };
  const routerUrlgroup = await addObject(owner, "routerUrlgroup", { name: "games" });
  await addObject(owner, "routerUrlrule", {}, { routerUrlgroup });
  await act(templates.routerTemplateRelAdd.path, { templateId, cpeIds: `${cpeId}` });
  await api.get(templates.routerTemplateIssue.path, { templateId }, admin);
  expect(await policyOf(home)).toBeNull();
  const of = { name: "games", groupid, members: "games.example,*.video.example", remark: "" };
  const added = await compiledBy(() => post(urlgroup.ops.add.path, of));
  expect(added).toEqual([cpeId]);
  expect((await policyOf(home))?.nameRules?.map(({ names }) => names)).toEqual([
    ["*.video.example", "games.example"],
  ]);
}, 120_000);

const usesOf = async (path: string, id: number, token = admin): Promise<GroupUses | undefined> => {
  const { data } = await api.get(path, { ids: `${id}` }, token);
  return (data as GroupUses[]).find((uses) => uses.id === id);
};
const names = ({ nodes, templates }: GroupUsers): string[] =>
  [...nodes, ...templates].map(({ name }) => name);
const users = async (path: string, id: number, token = admin): Promise<string[]> => {
  const uses = await usesOf(path, id, token);
  return uses ? names(uses) : ["no answer"];
};

test("endpoints:ipgroup.uses names the nodes and templates that take the members, and no others", async () => {
  const { groupid, cpeId } = home.ids;
  const { path } = ipgroupUses;
  const of = { name: "printers", groupid, members: "10.6.0.1,10.6.0.2", share: 0, remark: "" };
  const id = await post(ipgroup.ops.add.path, of);
  expect(await users(path, id)).toEqual([]);
  const template = { templateName: "Branches", remark: "" };
  const templateId = newIdOf(
    await api.post(templates.routerTemplate.ops.add.path, template, home.token),
  );
  const owner = { templateId };
  const routerIpgroup = await addObject(owner, "routerIpgroup", { name: "printers" });
  expect(await users(path, id)).toEqual(["Branches"]);
  const listed = (path: string, scope: object) =>
    api.get(path, { ...scope, page: 1, limit: 10 }, admin);
  const groups = policyFamily("routerIpgroup");
  const shown = { name: "printers", members: 0, enterpriseMembers: 2 };
  expect(await listed(groups.template.resource.ops.list.path, owner)).toMatchObject({
    data: [shown],
  });

  // The CPE follows another template: its own group counts, and comes before that of a template.
  const ipgroupId = await addObject({ cpeId }, "routerIpgroup", { name: "printers" });
  expect(await users(path, id)).toEqual(["home-cpe", "Branches"]);
  expect(await usesOf(path, id)).toMatchObject({ nodeCount: 1, templateCount: 1 });
  const { data } = await listed(groups.manage.resource.ops.list.path, { cpeId });
  expect(data).toContainEqual(expect.objectContaining(shown));
  await addObject({ cpeId }, "routerIpgroupdefine", { ipgroupId, ip: "10.7.0.1" });
  await addObject(owner, "routerIpgroupdefine", { ip: "10.7.0.2" }, { routerIpgroup });
  expect(await users(path, id)).toEqual([]);
  // Another tenant reads nothing of it, and of a group that there is not the same.
  expect(await usesOf(path, id, other.token)).toEqual({
    id,
    nodeCount: 0,
    nodes: [],
    templateCount: 0,
    templates: [],
  });
}, 120_000);

test("endpoints:urlgroup.uses endpoints:urlgroup.preview names the sites that follow a published group, until they have one of their own", async () => {
  const { groupid, cpeId } = home.ids;
  const of = { name: "games", groupid: other.ids.groupid, members: "a.example", remark: "" };
  const elsewhere = await post(urlgroup.ops.add.path, of);
  expect(await users(urlgroupUses.path, elsewhere)).toEqual([]);
  const { data } = await api.get(urlgroup.ops.list.path, { groupid, page: 1, limit: 10 }, admin);
  const [group] = data as { id: number; enterpriseName: string }[];
  expect(group).toMatchObject({ name: "games", enterpriseName: "home" });
  const id = group?.id ?? 0;
  expect(await users(urlgroupUses.path, id)).toEqual(["home-cpe", "Shops"]);
  const draft = { groupid, name: "games" };
  const { data: preview } = await api.get(urlgroupPreview.path, draft, admin);
  expect(names(preview as GroupUsers)).toEqual(["home-cpe", "Shops"]);
  const urlgroupId = await addObject({ cpeId }, "routerUrlgroup", { name: "games" });
  expect(await users(urlgroupUses.path, id)).toEqual(["home-cpe", "Shops"]);
  await addObject({ cpeId }, "routerUrl", { urlgroupId, url: "b.example" });
  expect(await users(urlgroupUses.path, id)).toEqual(["Shops"]);
}, 120_000);

test("endpoints:ipgroup.preview a shared IP group is listed below its enterprise, for reading alone, and used where no nearer one has its name", async () => {
  const { cpeId, groupid } = other.ids;
  await addObject({ cpeId }, "routerIpgroup", { name: "vendors" });
  const of = { name: "vendors", groupid: root, members: "192.0.2.9", remark: "" };
  const id = await post(ipgroup.ops.add.path, { ...of, share: 1 });
  expect(await users(ipgroupUses.path, id)).toEqual(["other-cpe"]);
  const seen = async (token: string) => {
    const { data } = await api.get(
      ipgroup.ops.list.path,
      { name: "vendors", page: 1, limit: 10 },
      token,
    );
    return (data as object[]) ?? [];
  };
  expect(await seen(other.token)).toMatchObject([{ id, fromAbove: 1, enterpriseName: "" }]);
  expect(await seen(admin)).toMatchObject([{ id, fromAbove: 0 }]);
  const edit = { ...of, id, share: 1, groupid };
  expect(await api.post(ipgroup.ops.edit.path, edit, other.token)).toMatchObject({ code: 404 });
  // Who reads a group of an enterprise above sees the own devices that use it.
  expect(await users(ipgroupUses.path, id, other.token)).toEqual(["other-cpe"]);
  const preview = async (fields: object, token = admin) =>
    api.get(ipgroupPreview.path, { groupid: root, name: "vendors", share: 1, ...fields }, token);
  const namesOfDraft = async (fields: object) => names((await preview(fields)).data as GroupUsers);
  expect(await namesOfDraft({})).toEqual(["other-cpe"]);
  expect(await namesOfDraft({ share: 0 })).toEqual([]);
  expect(await namesOfDraft({ groupid, share: 0 })).toEqual(["other-cpe"]);
  expect(await namesOfDraft({ name: "nobody" })).toEqual([]);
  expect(await preview({}, other.token)).toMatchObject({
    code: 400,
    issues: [{ path: "groupid", rule: "unknown" }],
  });
  const ownId = await post(ipgroup.ops.add.path, { ...of, groupid, share: 0 });
  expect(await namesOfDraft({})).toEqual([]);
  // As the enterprise's own group would be, were it made that of the one above.
  expect(await namesOfDraft({ id: ownId })).toEqual(["other-cpe"]);
  expect(await users(ipgroupUses.path, id)).toEqual([]);
  expect(await users(ipgroupUses.path, ownId)).toEqual(["other-cpe"]);
}, 120_000);

test("an edit is undone in the operation log, and the sites have the members from before", async () => {
  const { groupid, cpeId } = home.ids;
  const [group] = (
    await api.get(urlgroup.ops.list.path, { groupid, name: "games", page: 1, limit: 10 }, admin)
  ).data as { id: number; members: string }[];
  const id = group?.id ?? 0;
  const { rows } = await sql<{ owned: number }>`
    delete from weft.router_url e using weft.router_url_group g
    where g.id = e.urlgroup_id and g.node_id = ${cpeId} returning 1 as owned`.execute(
    api.database.pools.owner.db,
  );
  expect(rows).toHaveLength(1);
  const namesOf = async () => (await policyOf(home))?.nameRules?.map(({ names }) => names);
  const before = await namesOf();
  expect(before).toEqual([["*.video.example", "games.example"]]);
  const edited = { id, name: "games", groupid, members: "chess.example", remark: "" };
  await act(urlgroup.ops.edit.path, edited);
  expect(await namesOf()).toEqual([["chess.example"]]);
  const entries = { module: "urlgroup", rowId: id, limit: 50 };
  const [record] = (await api.get(operaRecordList.path, entries, admin)).data as { id: number }[];
  expect(record).toMatchObject({ undo: "possible" });
  expect(await compiledBy(() => act(operaRecordUndo.path, { id: record?.id }))).toEqual([cpeId]);
  expect(await namesOf()).toEqual(before);
}, 120_000);

test("a template that goes back to a version without entries has the members that the enterprise's group has now", async () => {
  const { groupid, cpeId } = home.ids;
  const { rows } = await sql<{ template_id: number; group_id: number }>`
    select m.template_id, g.id as group_id from weft.router_template_node m
    join weft.router_url_group g on g.template_id = m.template_id
    where m.node_id = ${cpeId} and g.name = 'games'`.execute(api.database.pools.owner.db);
  const [followed] = rows;
  if (!followed) throw new Error("the CPE follows the template of the shops");
  // Its own group would come before that of the template.
  await sql`delete from weft.router_url_group where node_id = ${cpeId}`.execute(
    api.database.pools.owner.db,
  );
  const templateId = followed.template_id;
  const namesOf = async () => (await policyOf(home))?.nameRules?.map(({ names }) => names);
  await addObject(
    { templateId },
    "routerUrl",
    { url: "own.example", allowOnlyHost: true },
    { routerUrlgroup: followed.group_id },
  );
  const issue = (fromVersion?: number) =>
    api.get(
      templates.routerTemplateIssue.path,
      { templateId, ...(fromVersion !== undefined && { fromVersion }) },
      admin,
    );
  expect(await issue()).toMatchObject({ code: 0 });
  expect(await namesOf()).toEqual([["own.example"]]);
  // Edited meanwhile: it reaches no site, and a version does not keep what it was.
  const { data } = await api.get(
    urlgroup.ops.list.path,
    { groupid, name: "games", page: 1, limit: 10 },
    admin,
  );
  const [{ id }] = data as [{ id: number }];
  await act(urlgroup.ops.edit.path, {
    id,
    name: "games",
    groupid,
    members: "go.example",
    remark: "",
  });
  expect(await namesOf()).toEqual([["own.example"]]);
  expect(await issue(1)).toMatchObject({ code: 0 });
  expect(await namesOf()).toEqual([["go.example"]]);
}, 120_000);
