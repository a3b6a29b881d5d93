import { destinationKinds } from "@weft/contract/domains/policies/destination-enums.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let home: Tenant;
let other: Tenant;
beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
}, 60_000);
afterAll(() => api.close());

test.each(destinationKinds)(
  "B-1-18: %s groups are a family of their own, and share no member with another group",
  async (kind) => {
    const { ops } = saasGroups[kind];
    const draft = (name: string, who = home) =>
      wireDraft(`saasGroup.${kind}`, "valid", who.ids, { name });
    const id = newIdOf(await api.post(ops.add.path, draft("one"), home.token));
    expect(await api.post(ops.add.path, draft("two"), home.token)).toMatchObject({
      code: 400,
      issues: [{ path: "values", rule: kind === "ip" ? "overlap" : "inUse" }],
    });
    // Another tenant's groups are no concern of anybody else.
    newIdOf(await api.post(ops.add.path, draft("two", other), other.token));
    // The id means a row of this kind only.
    for (const destinationKind of destinationKinds.filter((each) => each !== kind)) {
      const foreign = saasGroups[destinationKind].ops;
      expect(await api.post(foreign.remove.path, { ids: id }, home.token)).toMatchObject({
        code: 404,
      });
      const { data } = await api.get(foreign.combo.path, {}, home.token);
      expect((data as { id: number }[]).map((row) => row.id)).not.toContain(id);
    }
    const { data } = await api.get(ops.list.path, { name: "on" }, home.token);
    expect(data).toMatchObject([{ id, kind, popId: home.ids.popId, popName: "home-pop" }]);
    expect(await api.post(ops.edit.path, { ...draft("one"), id }, home.token)).toMatchObject({
      code: 0,
    });
    expect(await api.post(ops.remove.path, { ids: id }, home.token)).toMatchObject({ code: 0 });
  },
);

test("an application that the catalogue does not have is none", async () => {
  const fields = wireDraft("saasGroup.app", "valid", home.ids, { values: "1001,998877" });
  expect(await api.post(saasGroups.app.ops.add.path, fields, home.token)).toMatchObject({
    code: 400,
    issues: [{ path: "values", rule: "unknown" }],
  });
});
