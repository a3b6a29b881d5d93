import { pop } from "@weft/contract/domains/devices/pop.ts";
import { vbrNode, vbrNodeAudit } from "@weft/contract/domains/overlay/vbr-node.ts";
import { permissionCodes } from "@weft/contract/permissions.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let home: Tenant;
let made = 0;
beforeAll(async () => {
  api = await testApi();
  home = await makeTenant(api, await api.logIn("admin"), "home");
}, 60_000);
afterAll(() => api.close());

const post = (path: string, fields: object, token = home.token) => api.post(path, fields, token);
const draft = (replaced: object = {}) => {
  made += 1;
  return wireDraft("vbrNode", "valid", home.ids, { name: `cloud-${made}`, ...replaced });
};
const add = async (replaced: object = {}): Promise<number> =>
  newIdOf(await post(vbrNode.ops.add.path, draft(replaced)));
const rowOf = async (id: number, token = home.token) =>
  (
    (await api.get(vbrNode.ops.list.path, { limit: 1000 }, token)).data as Record<string, unknown>[]
  ).find((row) => row.id === id);
const review = (id: number, status: number, remark = "") =>
  post(vbrNodeAudit.path, { id, status, remark });
const without = (code: string) =>
  api.userToken({
    enterpriseId: home.ids.groupid,
    dataScope: 3,
    permissions: permissionCodes.filter((permissionCode) => permissionCode !== code),
  });

test("a node waits until it is reviewed, once, and waits again when it is changed", async () => {
  const id = await add({ vlan: 300 });
  expect(await rowOf(id)).toMatchObject({ auditStatus: 0, auditBy: null });
  expect(await review(id, 0)).toMatchObject({ code: 400 });
  expect(await review(id, 2, "no such line")).toMatchObject({ code: 0 });
  expect(await rowOf(id)).toMatchObject({
    auditStatus: 2,
    auditBy: expect.any(String),
    auditRemark: "no such line",
  });
  expect(await review(id, 1)).toMatchObject({ code: 422 });
  expect(await post(vbrNode.ops.edit.path, { ...draft({ vlan: 301 }), id })).toMatchObject({
    code: 0,
  });
  expect(await rowOf(id)).toMatchObject({ auditStatus: 0, auditBy: null, auditRemark: null });
  expect(await review(id, 1)).toMatchObject({ code: 0 });
  const log = await api.get("/customer/operaRecord/list", { module: "vbrNode" }, home.token);
  expect((log.data as { action: string }[]).map(({ action }) => action)).toContain("vbrNode.audit");
});

test("a VLAN of the line to a cloud is approved once", async () => {
  const [first, second, elsewhere] = [
    await add({ vlan: 400 }),
    await add({ vlan: 400 }),
    await add({ vlan: 400, cloud: "aws" }),
  ];
  expect(await review(first, 1)).toMatchObject({ code: 0 });
  expect(await review(second, 1)).toMatchObject({ code: 400, issues: [{ path: "vlan" }] });
  expect(await rowOf(second)).toMatchObject({ auditStatus: 0 });
  expect(await review(elsewhere, 1)).toMatchObject({ code: 0 });
});

test("B-6-19: without audit no node is reviewed", async () => {
  const id = await add({ vlan: 500 });
  const answer = await post(vbrNodeAudit.path, { id, status: 1 }, await without("vbrNodeAudit"));
  expect(answer).toMatchObject({ code: 403 });
  expect(await rowOf(id)).toMatchObject({ auditStatus: 0 });
});

test("without popView POPs are neither shown nor accepted as a filter, and an edit keeps them", async () => {
  const id = await add({ vlan: 600 });
  const token = await without("vbrNodePopView");
  expect(await rowOf(id)).toMatchObject({ popId: home.ids.popId, popName: "home-pop" });
  expect(await rowOf(id, token)).toMatchObject({ popId: null, popName: null });
  const asked = await api.get(vbrNode.ops.list.path, { popId: home.ids.popId }, token);
  expect(asked).toMatchObject({ code: 403 });
  const edited = { ...draft({ vlan: 601, popId: "" }), id };
  expect(await post(vbrNode.ops.edit.path, edited, token)).toMatchObject({ code: 0 });
  expect(await rowOf(id)).toMatchObject({ vlan: 601, popId: home.ids.popId });
  expect(await post(vbrNode.ops.add.path, draft({ popId: "" }))).toMatchObject({
    code: 400,
    issues: [{ path: "popId", rule: "required" }],
  });
});

test("a POP with an attachment to a cloud stays", async () => {
  await add({ vlan: 700 });
  expect(await post(pop.ops.remove.path, { ids: home.ids.popId })).toMatchObject({ code: 409 });
});
