import { hash } from "@node-rs/argon2";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminPassword } from "../../../../test/api.ts";
import { type People, people } from "../../../../test/people.ts";
import { wireDraft } from "../../../../test/tenants.ts";

const long = "tulip-harbour-seven";
let all: People;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

const setPolicy = async (groupid: number, name: string, parentId: number, policy: string) => {
  const ids = { groupid, cpeId: 1, popId: 1 };
  const draft = wireDraft("enterprise", "valid", ids, { name, parentId, passwordPolicy: policy });
  const answer = await all.api.post("/customer/enterprise/edit", { ...draft, groupid }, all.admin);
  expect(answer.code).toBe(0);
};
const add = (groupid: number, fields: object) => all.addUser(all.admin, { groupid, ...fields });
const change = (token: string, userId: number, oldPsw: string, newPsw: string) => {
  const form = { userId, oldPsw, newPsw, rePsw: newPsw };
  return all.api.post("/customer/user/editpassword", form, token);
};
const refused = (path: string, rule: string, params: object = {}) => ({
  code: 400,
  issues: [{ path, rule, params }],
});

const warned = { code: 0, warnings: [{ warning: "weakPassword" }] };

test("what section 5 takes is taken under the specification's policy, and warned of when it is easy to guess", async () => {
  const { agent, manager, admin, api } = all;
  for (const password of ["abcde", "Admin@2024", "12345"]) {
    expect(await add(agent, { password })).toMatchObject(warned);
  }
  const own = { loginName: "zhuting@demo", phone: "13912345678" };
  expect(await add(agent, { ...own, password: "zhuting01" })).toMatchObject(warned);
  expect(await add(agent, { password: "k7#tRw2q" })).not.toHaveProperty("warnings");
  for (const password of ["abcd", "abcdefghijklm", "ab cde"]) {
    expect(await add(agent, { password })).toMatchObject({
      code: 400,
      issues: [{ path: "password", rule: "password" }],
    });
  }
  const reset = { userId: manager.id, newPsw: "qwerty123", oldPsw: adminPassword };
  expect(await api.post("/customer/user/resetPwd", reset, admin)).toMatchObject({
    ...warned,
    warnings: [{ path: "newPsw", text: "密码强度较低，建议更换" }],
  });
  const token = await api.logIn(manager.loginName, "qwerty123");
  expect(await change(token, manager.id, "qwerty123", "password1")).toMatchObject(warned);
  expect(await api.logIn(manager.loginName, "password1")).toBeTruthy();
});

test("a policy holds for its enterprise and all below it, and for no other", async () => {
  const { agent, below, sister, person, api } = all;
  const policyOf = async (token: string) =>
    ((await api.get("/customer/session", {}, token)).data as { passwordPolicy: string })
      .passwordPolicy;
  const [chief, clerk, stranger] = await Promise.all(
    [agent, below, sister].map((groupid) => person(groupid, [])),
  );
  const tokens = [chief, clerk, stranger].map((one) => one?.token ?? "");
  expect(await Promise.all(tokens.map(policyOf))).toEqual(["spec", "spec", "spec"]);
  await setPolicy(agent, "代理", 1, "15+");
  expect(await Promise.all(tokens.map(policyOf))).toEqual(["15+", "15+", "spec"]);
  const short = refused("newPsw", "password", { min: 15, max: 64 });
  const id = clerk?.id ?? 0;
  expect(await change(tokens[1] ?? "", id, adminPassword, "k7#tRw2q")).toMatchObject(short);
  expect(await change(tokens[1] ?? "", id, adminPassword, "passwordpassword")).toMatchObject(
    refused("newPsw", "weakPassword"),
  );
  expect(await change(tokens[1] ?? "", id, adminPassword, long)).toMatchObject({ code: 0 });
  expect(await api.logIn(clerk?.loginName ?? "", long)).toBeTruthy();
  const other = stranger?.id ?? 0;
  expect(await change(tokens[2] ?? "", other, adminPassword, long)).toMatchObject(
    refused("newPsw", "password", { min: 5, max: 12 }),
  );
  // A subordinate cannot ask for less; nor does a call that knows no policies reset one.
  await setPolicy(below, "下级", agent, "spec");
  await setPolicy(agent, "代理", 1, "");
  expect(await policyOf(tokens[1] ?? "")).toBe("15+");
  await setPolicy(agent, "代理", 1, "spec");
  expect(await policyOf(tokens[1] ?? "")).toBe("spec");
});

test("a hash of another cost is replaced at the next log-in", async () => {
  const { api, person, agent } = all;
  const { id, loginName } = await person(agent, []);
  const { db } = api.database.pools.apiAll;
  const cheap = await hash(adminPassword, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
  await sql`update sys_user set password_hash = ${cheap} where id = ${id}`.execute(db);
  const stored = async () =>
    (
      await sql<{
        hash: string;
      }>`select password_hash as hash from sys_user where id = ${id}`.execute(db)
    ).rows[0]?.hash;
  await expect(api.logIn(loginName, "mistyped")).rejects.toThrow();
  expect(await stored()).toBe(cheap);
  await api.logIn(loginName);
  const renewed = await stored();
  expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await api.logIn(loginName);
  expect(await stored()).toBe(renewed);
});
