/** Entities that the wording of the specification implies (section 3, assumptions of its lists). */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "./api.ts";
import { listPath, makePolicyRows, makeTemplate, policyDraft } from "./policy-world.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

let api: TestApi;
let admin = "";
let tenant = undefined as unknown as Tenant;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  tenant = await makeTenant(api, admin, "entities");
}, 60_000);
afterAll(() => api.close());

type Row = Readonly<Record<string, unknown>>;

/** The row of this id in a list that is asked for again. */
async function listed(path: string, query: object, key: string, id: number): Promise<Row> {
  const { data } = await api.get(path, { page: 1, limit: 200, ...query }, admin);
  const row = (data as Row[]).find((one) => one[key] === id);
  if (!row) throw new Error(`${path} does not list ${id}`);
  return row;
}

/** Each entity by its resource, and which of its fields an edit changes. */
const entities: readonly (readonly [what: string, name: ResourceName, field: string])[] = [
  ["branch", "branch", "name"],
  ["alarm rule", "alarmRule", "metric"],
  ["firmware task", "firmwareTask", "version"],
  ["agent", "enterprise", "remark"],
  ["role", "role", "remark"],
];

test.each(entities)("B-3-10: %s kept and listed as it was saved", async (_, name, field) => {
  const resource = allResources[name] as unknown as AnyResource;
  const { ids } = tenant;
  const draft = (which: "valid" | "edited") => {
    const whole = wireDraft(name, which, ids);
    return name === "enterprise" ? { ...whole, isAgent: 1, parentId: 1 } : whole;
  };
  const added = { ...draft("valid"), [field]: draft("valid")[field] };
  const id = newIdOf(await api.post(resource.ops.add.path, added, admin));
  const query = name === "alarmRule" ? { strategyId: ids.alarmStrategyId } : {};
  const row = () => listed(resource.ops.list.path, query, resource.id, id);
  expect(String((await row())[field])).toBe(String(added[field]));
  const edited = { ...draft("edited"), [resource.id]: id };
  const changed = name === "enterprise" || name === "role" ? { ...edited, remark: "改过" } : edited;
  expect(await api.post(resource.ops.edit.path, changed, admin)).toMatchObject({ code: 0 });
  expect(String((await row())[field])).toBe(String((changed as Row)[field]));
  expect((await row())[field]).not.toBe(added[field]);
});

const objects = [
  ["policy", "routerPolicyroute", null],
  ["bandwidth channel", "routerBandwidthpipe", null],
  ["WAN template", "routerInterfaceline", "wan"],
  ["LAN template", "routerInterfaceline", "lan"],
] as const;

test.each(objects)(
  "B-3-10: %s kept in a template and listed there",
  async (_, familyName, kind) => {
    const family = policyFamily(familyName);
    const owner = { templateId: await makeTemplate(api, admin) };
    const refs = await makePolicyRows(api, [admin], "template", owner);
    const own = kind === null ? {} : { kind, accessposition: kind === "wan" ? 2 : null };
    const draft = policyDraft(family, "template", owner, refs, {
      ...own,
      name: `own-${familyName}`,
    });
    const id = newIdOf(await api.post(family.template.resource.ops.add.path, draft, admin));
    const row = await listed(listPath(family.template, own), owner, "id", id);
    expect(row).toMatchObject({ name: `own-${familyName}` });
  },
);
