import {
  xwanSpeed,
  xwanSpeedDefine,
  xwanSpeedDefineImport,
} from "@weft/contract/domains/policies/xwan-speed.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi, textFile } from "../../../../test/api.ts";
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

const post = (path: string, fields: object, who = home) => api.post(path, fields, who.token);
const speeds = async (who = home) =>
  (await api.get(xwanSpeed.ops.list.path, { limit: 1000 }, who.token)).data as Record<
    string,
    unknown
  >[];
const addSpeed = async (name: string): Promise<number> =>
  newIdOf(await post(xwanSpeed.ops.add.path, wireDraft("xwanSpeed", "valid", home.ids, { name })));
const defines = async (speedId: number, who = home) =>
  (await api.get(xwanSpeedDefine.ops.list.path, { speedId, limit: 1000 }, who.token))
    .data as Record<string, unknown>[];
const take = (speedId: number, text: string, more: object = {}, who = home) =>
  post(
    xwanSpeedDefineImport.path,
    { speedId, check: 0, file: textFile("defines.csv", text), ...more },
    who,
  );

test("B-7.2-12: list, add, edit, remove and combo work on the same data", async () => {
  const speedId = await addSpeed("round");
  const listed = async () => (await speeds()).find((row) => row.speedId === speedId);
  const offered = async () =>
    (
      (await api.get(xwanSpeed.ops.combo.path, {}, home.token)).data as {
        id: number;
        name: string;
      }[]
    ).find(({ id }) => id === speedId);
  expect(await listed()).toMatchObject({ name: "round", type: 1, enable: 1, defines: 0 });
  expect(await offered()).toEqual({ id: speedId, name: "round" });
  const edited = wireDraft("xwanSpeed", "edited", home.ids, { speedId, name: "round-2" });
  expect(await post(xwanSpeed.ops.edit.path, edited)).toMatchObject({ code: 0 });
  expect(await listed()).toMatchObject({ name: "round-2", type: 2, enable: 0 });
  expect(await offered()).toEqual({ id: speedId, name: "round-2" });
  expect(await post(xwanSpeed.ops.remove.path, { ids: speedId })).toMatchObject({ code: 0 });
  expect([await listed(), await offered()]).toEqual([undefined, undefined]);
});

test("B-7.2-10: the definitions of a file are listed under their speed", async () => {
  const speedId = await addSpeed("import");
  const file =
    "kind,value,remark\ndomain,*.zoom.us,meetings\nip,203.0.113.0/24,\napp,1001,\ndpi,500,";
  expect(await take(speedId, file)).toMatchObject({ code: 0, data: { rows: 4, added: 4 } });
  expect((await defines(speedId)).map(({ kind, value }) => `${kind} ${value}`)).toEqual([
    "domain *.zoom.us",
    "ip 203.0.113.0/24",
    "app 1001",
    "dpi 500",
  ]);
  expect((await speeds()).find((row) => row.speedId === speedId)).toMatchObject({ defines: 4 });
  // A profile takes its definitions with it.
  await post(xwanSpeed.ops.remove.path, { ids: speedId });
  expect(await defines(speedId)).toEqual([]);
});

describe("B-7.2-11: a file is refused with a msg, and nothing is stored:", () => {
  const head = "kind,value,remark";
  test.each([
    ["empty", "", 400],
    ["a head alone", head, 400],
    ["a column that there is not", "kind,evil\ndomain,a.com", 400],
    ["broken", `${head}\ndomain,"a.com`, 400],
    ["a value that is none of its kind", `${head}\ndomain,a.com,\nip,a.com,`, 400],
    ["an application that there is not", `${head}\napp,999999,`, 400],
    ["the same twice", `${head}\ndomain,a.com,\ndomain,a.com,`, 400],
    ["too many rows", `${head}\n${"domain,a.com,\n".repeat(5_001)}`, 400],
    ["huge", `${head}\n${"domain,a.com,\n".repeat(90_000)}`, 413],
  ])("%s", async (name, text, code) => {
    const speedId = await addSpeed(`bad-${name.replaceAll(" ", "-")}`);
    const answer = await take(speedId, text);
    expect(answer).toMatchObject({ code, data: null });
    expect(answer.msg.length).toBeGreaterThan(2);
    expect(await defines(speedId)).toEqual([]);
  });

  test("and for another tenant's speed as for none", async () => {
    const speedId = await addSpeed("mine");
    const file = `${head}\ndomain,a.com,`;
    const foreign = await take(speedId, file, {}, other);
    expect(foreign).toMatchObject({ code: 400, issues: [{ path: "speedId", rule: "unknown" }] });
    expect(await take(987_654_321, file, {}, other)).toMatchObject({ issues: foreign.issues });
    expect(await defines(speedId)).toEqual([]);
  });
});
