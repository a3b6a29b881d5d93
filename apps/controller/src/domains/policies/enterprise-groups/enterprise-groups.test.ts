/** IP and URL groups of enterprises in the states of nodes: whose groups take their members, and who is compiled again. */
import type { PolicySection } from "@weft/contract/device/v1/policy.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { ipgroup } from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { urlgroup } from "@weft/contract/domains/policies/enterprise-url-group.ts";
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

test("what an enterprise above shares is taken where there is no own one, and by nobody while it is not shared", async () => {
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
