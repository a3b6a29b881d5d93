/** Policy objects out of files, in templates and on nodes (specification section 7.4). */

import { policyFamilies, policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { type PolicyFamily, policyScopes } from "@weft/contract/kernel/policy-family.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi, textFile } from "../../../../test/api.ts";
import { makeTemplate, type OwnerInput, policyDraft } from "../../../../test/policy-world.ts";
import { makeTenant, newIdOf, type Tenant } from "../../../../test/tenants.ts";

let api: TestApi;
let [home, other] = [] as unknown as [Tenant, Tenant];
let owners: Record<"template" | "manage", OwnerInput>;
beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  owners = {
    template: { templateId: await makeTemplate(api, home.token) },
    manage: { popId: home.ids.popId },
  };
}, 120_000);
afterAll(() => api.close());

/** Column of what an entry is about -> a value of the n-th row. */
const values: Readonly<Record<string, (n: number) => string>> = {
  ip: (n) => `10.9.${n}.0/24`,
  domain: (n) => `*.d${n}.example.com`,
  url: (n) => `d${n}.example.com/a`,
  protocol: () => "tcp",
  dstPort: (n) => String(8_000 + n),
};
const importing = policyFamilies.filter(({ spec }) => spec.importable);
const cases = importing.flatMap((family) =>
  policyScopes.map((scope) => [family[scope].importable?.id ?? "", family, scope] as const),
);

/** A group of the owner, and the file's column that names it; null: the family has none. */
async function groupOf(family: PolicyFamily, scope: "template" | "manage", name: string) {
  const [found] = Object.entries(family.spec.references ?? {});
  if (!found) return null;
  const [column, target] = found;
  const group = policyFamily(target ?? "");
  const draft = policyDraft(group, scope, owners[scope], {}, { name });
  return {
    column,
    id: newIdOf(await api.post(group[scope].resource.ops.add.path, draft, home.token)),
  };
}

test.each(cases)("endpoints:%s B-7.4-06: the entries are listed", async (_, family, scope) => {
  const owner = owners[scope];
  const { importable, resource } = family[scope];
  const group = await groupOf(family, scope, `group-${family.name}`);
  const columns = (family.spec.importable?.columns ?? []).filter((name) => name in values);
  const head = ["name", ...(group ? [group.column] : []), ...columns];
  const line = (n: number, groupName = `group-${family.name}`) =>
    [`in-${n}`, ...(group ? [groupName] : []), ...columns.map((name) => values[name]?.(n))].join();
  const send = (lines: readonly string[], more: object = {}, token = home.token) => {
    const file = textFile("a.csv", [head, ...lines].join("\r\n"));
    return api.post(importable?.path ?? "", { ...owner, file, ...more }, token);
  };
  const listed = async () =>
    (await api.get(resource.ops.list.path, { ...owner, limit: 100 }, home.token)).data as {
      name: string;
    }[];

  const checked = await send([line(1), line(2)], { check: 1 });
  expect(checked).toMatchObject({ code: 0, data: { rows: 2, added: 0, bad: [] } });
  expect(await listed()).toEqual([]);

  // A name that is there twice, and a group that is not there, are found before anything is written.
  const broken = group ? [line(1), line(1), line(2, "nobody")] : [line(1), line(1)];
  const refused = await send(broken);
  expect(refused).toMatchObject({ code: 400 });
  expect(refused.issues?.[0]).toMatchObject({ path: "name", rule: "taken", params: { row: 3 } });
  if (group) {
    const unknown = await send([line(1), line(2, "nobody")]);
    expect(unknown.issues).toMatchObject([{ path: group.column, rule: "unknown" }]);
  }
  expect(await listed()).toEqual([]);

  expect(await send([line(1), line(2)])).toMatchObject({ code: 0, data: { rows: 2, added: 2 } });
  expect((await listed()).map(({ name }) => name).sort()).toEqual(["in-1", "in-2"]);
  expect((await listed())[0]).toMatchObject({
    [columns[0] ?? ""]: values[columns[0] ?? ""]?.(1),
    ...(group && { [group.column]: group.id }),
    ...(family.spec.isOrdered && { enable: 1, sort: 1 }),
  });

  // An owner in another tenant counts as missing.
  const [field = ""] = Object.keys(owner);
  const foreign = await send([line(7)], {}, other.token);
  const absent = await send([line(7)], { [field]: 987_654_321 }, other.token);
  expect(foreign.issues).toMatchObject([{ path: field, rule: "unknown" }]);
  expect(foreign.issues).toEqual(absent.issues);
});
