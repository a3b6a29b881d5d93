/** What still uses rows that are to be removed. */
import { allResources } from "@weft/contract/all-endpoints.ts";
import { dataScopes, roleTypes } from "@weft/contract/domains/access/enums.ts";
import { usesFindAll } from "@weft/contract/domains/access/uses.ts";
import { policyFamilies, policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeRows } from "../../../../test/matrix-rows.ts";
import { makeTemplate, newName, policyDraft } from "../../../../test/policy-world.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin = "";
let [home, other] = [] as unknown as [Tenant, Tenant];
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
}, 120_000);
afterAll(() => api.close());

const ask = (resource: string, ids: readonly number[], token = home.token) =>
  api.get(usesFindAll.path, { resource, ids: ids.join(",") }, token);

test("endpoints:uses.findAll all users of an IP group are named, with the template that they are in", async () => {
  const templateId = await makeTemplate(api, home.token);
  const add = async (family: string, replaced: object, refs: Record<string, number> = {}) => {
    const draft = policyDraft(policyFamily(family), "template", { templateId }, refs);
    const path = policyFamily(family).template.resource.ops.add.path;
    return newIdOf(await api.post(path, { ...draft, ...replaced }, home.token));
  };
  const name = newName();
  const routerIpgroup = await add("routerIpgroup", { name });
  // An entry goes with its group: it is no user.
  await add("routerIpgroupdefine", {}, { routerIpgroup });
  const used = { ipgroupId: routerIpgroup };
  const [first, second] = [newName(), newName()];
  await add("routerConnlimit", { name: first, ...used }, { routerIpgroup });
  await add("routerConnlimit", { name: second, ...used }, { routerIpgroup });
  const answer = await ask("routerIpgroup", [routerIpgroup]);
  expect(answer).toMatchObject({ code: 0, data: { count: 2 } });
  const { uses } = answer.data as { uses: { name: string; templateId: number }[] };
  expect(uses.map((use) => use.name).toSorted()).toEqual([first, second].toSorted());
  expect(new Set(uses.map((use) => use.templateId))).toEqual(new Set([templateId]));
  // Another tenant sees none of it.
  expect((await ask("routerIpgroup", [routerIpgroup], other.token)).data).toMatchObject({
    count: 0,
  });
});

test("an enterprise is used by the child that hinders its removal, by name", async () => {
  const { groupid } = home.ids;
  const child = { parentId: groupid, name: "home-branch-office" };
  const { path } = allResources.enterprise.ops.add;
  newIdOf(await api.post(path, { ...wireDraft("enterprise", "valid", home.ids), ...child }, admin));
  const { data } = await ask("enterprise", [groupid], admin);
  const { uses } = data as { uses: { resource: string; name: string; title: string[] }[] };
  expect(uses).toContainEqual(
    expect.objectContaining({ resource: "enterprise", name: "home-branch-office" }),
  );
  expect(uses).toContainEqual(expect.objectContaining({ resource: "cpe", name: "home-cpe" }));
});

test("callers without the remove permission do not see what uses a row", async () => {
  const token = await api.userToken({
    enterpriseId: home.ids.groupid,
    dataScope: 3,
    permissions: ["cpeAdd"],
  });
  expect(await ask("role", [1], token)).toMatchObject({ code: 403 });
  expect(await ask("nothing", [1])).toMatchObject({ code: 400 });
});

test("a row of another tenant has no uses for any kind and caller", {
  timeout: 300_000,
}, async () => {
  const mark = "stranger";
  const enterprise = await api.post(
    allResources.enterprise.ops.add.path,
    wireDraft("enterprise", "valid", { groupid: 1, cpeId: 0, popId: 0 }, { name: mark }),
    admin,
  );
  const rows: Readonly<Record<string, number>> = await makeRows(
    api,
    [admin],
    newIdOf(enterprise),
    mark,
  );
  const names = Object.keys(rows).filter(
    (name) => name in allResources || policyFamilies.some((family) => family.name === name),
  );
  const used: string[] = [];
  for (const name of names) {
    const { data } = await ask(name, [rows[name] ?? 0], admin);
    if ((data as { count: number }).count > 0) used.push(name);
  }
  // Otherwise the answers below would be empty for want of users.
  expect(used).toEqual(expect.arrayContaining(["enterprise", "cpe", "pop", "role"]));
  const absent = 987_654_321;
  const told: string[] = [];
  for (const roleType of roleTypes) {
    for (const dataScope of dataScopes) {
      const { groupid: enterpriseId } = home.ids;
      const token = await api.userToken({
        enterpriseId,
        dataScope,
        roleType,
        selected: [enterpriseId],
      });
      for (const [place, name] of names.entries()) {
        // Each kind in every scope and by every type of role, though not by each type in each scope.
        if ((place + dataScope) % roleTypes.length !== roleType) continue;
        const seen = async (id: number): Promise<string> => {
          const { code, msg, data } = await ask(name, [id], token);
          return JSON.stringify({ code, msg, data });
        };
        const answer = await seen(rows[name] ?? 0);
        if (answer !== (await seen(absent)))
          told.push(`${name} ${roleType} ${dataScope}: ${answer}`);
      }
    }
  }
  expect(told).toEqual([]);
});

test("is answered for every resource and family of policy objects", async () => {
  const names = [
    ...Object.keys(allResources),
    ...policyFamilies.flatMap(({ template, manage }) => [
      template.resource.name,
      manage.resource.name,
    ]),
  ];
  const failed: string[] = [];
  for (const name of names) {
    const answer = await ask(name, [987_654_321], admin);
    if (answer.code !== 0) failed.push(`${name}: ${answer.code} ${answer.msg}`);
  }
  expect(failed).toEqual([]);
});
