/** The token of /business-system/templatemanage (specification section 2.1, design section 4). */

import { createHash } from "node:crypto";
import { permissionOf } from "@weft/contract/access.ts";
import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import { neededAt } from "@weft/contract/grants.ts";
import { holds, templatePermissions } from "@weft/contract/permissions.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { adminPassword, type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
let one: Awaited<ReturnType<typeof makeTenant>>;
let other: Awaited<ReturnType<typeof makeTenant>>;

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  one = await makeTenant(api, admin, "visit-one");
  other = await makeTenant(api, admin, "visit-two");
}, 60_000);
afterAll(() => api.close());

const path = "/customer/routerTemplate";
/** The entry of the menu that the console asks for before it opens the screen. */
const entry = "/business-system/templatemanage";
const dead = { code: 500, msg: "token无效" };
const issue = (token: string) => api.post(`${path}/visit`, {}, token);
const visitOf = async (token: string): Promise<string> => {
  const answer = await issue(token);
  expect(answer).toMatchObject({ code: 0 });
  return (answer.data as { token: string }).token;
};
const sessionOf = async (token: string) => api.get("/customer/session", {}, token);
const list = (token: string) => api.get(`${path}/list`, { page: 1, size: 100 }, token);
const namesOf = async (token: string) =>
  ((await list(token)).data as { temName: string }[]).map(({ temName }) => temName);
const inWhole = (text: ReturnType<typeof sql>) =>
  inScope(
    api.database.pools.apiAll,
    { kind: "all" },
    async (trx) => (await text.execute(trx)).rows,
  );
const change = (token: string, set: ReturnType<typeof sql>) =>
  inWhole(sql`update session set ${set}
    where token_hash = ${createHash("sha256").update(token).digest()}`);
const pathsOf = (nodes: readonly ServerMenuNode[]): string[] =>
  nodes.flatMap((node) => [node.path, ...pathsOf(node.children)]);

describe("endpoints:routerTemplate.visit", () => {
  test("is for those who may list templates", async () => {
    const user = { enterpriseId: one.ids.groupid, dataScope: 1 };
    const without = await api.userToken({ ...user, permissions: ["routerTemplateView"] });
    expect(await issue(without)).toMatchObject({ code: 403 });
    const allowed = await api.userToken({ ...user, permissions: ["routerTemplateList"] });
    expect(await issue(allowed)).toMatchObject({ code: 0 });
  });

  test("is in the operation log, without the token", async () => {
    const token = await visitOf(one.token);
    const { data } = await api.get("/customer/operaRecord/list", { page: 1, limit: 50 }, admin);
    const lines = JSON.stringify(data);
    expect(lines).toContain("routerTemplate.visit");
    expect(lines).not.toContain(token);
  });

  test("reports its end: in ten minutes", async () => {
    const before = Date.now();
    const { data } = await issue(one.token);
    const after = Date.now();
    const { expireTime } = data as { expireTime: string };
    const issuedAt = Date.parse(`${expireTime.replace(" ", "T")}Z`) - 600_000;
    // The time is in whole seconds.
    expect(issuedAt).toBeGreaterThan(before - 1_000);
    expect(issuedAt).toBeLessThan(after + 1_000);
  });
});

describe("a visitor with the token", () => {
  test("holds of the permissions of templates what the issuer holds, and no other", async () => {
    const { data } = await sessionOf(await visitOf(admin));
    expect(data).toMatchObject({ userId: 1, loginName: "admin/visitor" });
    expect((data as { authorities: string[] }).authorities.toSorted()).toEqual(
      [entry, ...templatePermissions].toSorted(),
    );
    const viewer = await api.userToken({
      enterpriseId: one.ids.groupid,
      dataScope: 1,
      permissions: ["routerTemplateList", "cpeConfig", "sysUserList"],
    });
    const few = await visitOf(viewer);
    expect((await sessionOf(few)).data).toMatchObject({
      authorities: ["routerTemplateList", entry],
    });
    expect(await api.post(`${path}/add`, { templateName: "x", remark: "" }, few)).toMatchObject({
      code: 403,
    });
  });

  test("is let into the calls of templates, and into none of the others", async () => {
    const token = await visitOf(admin);
    const open = new Set(["auth.session", "routerTemplate.combo"]);
    const closed = new Set(["routerTemplate.visit", "routerTemplate.endVisits"]);
    const wrong: string[] = [];
    for (const { endpoint } of api.app.weft.mounted.values()) {
      if (endpoint.auth !== "session") continue;
      const code = permissionOf(endpoint.may);
      const isOpen =
        open.has(endpoint.id) ||
        (code !== null && templatePermissions.includes(code) && !closed.has(endpoint.id));
      // Without its fields none of them does anything.
      const answer =
        endpoint.method === "GET"
          ? await api.get(endpoint.path, {}, token)
          : await api.post(endpoint.path, {}, token);
      const isRefused = answer.code === 403 || answer.code === 422;
      if (isOpen === isRefused) wrong.push(`${endpoint.id} ${answer.code}`);
    }
    expect(wrong).toEqual([]);
  });

  test("finds only the template screens in the menu", async () => {
    const { data } = await sessionOf(await visitOf(admin));
    const { menus, authorities } = data as { menus: ServerMenuNode[]; authorities: string[] };
    // The console asks for what each screen needs before it opens it.
    const closed = pathsOf(menus).filter(
      (path) => !holds({ userId: 1, authorities, visitEndTime: new Date() }, neededAt(path)),
    );
    expect(closed).toEqual([]);
    expect(pathsOf(menus.filter(({ hide }) => !hide))).toEqual([
      "/business-system",
      "/business-system/templatemanage",
    ]);
    const rest = pathsOf(menus.filter(({ hide }) => hide));
    expect(rest.length).toBeGreaterThan(10);
    expect(rest.filter((one) => !one.startsWith("/business/template"))).toEqual([]);
  });

  test("acts as the issuer, by a name of its own in the log", async () => {
    const token = await visitOf(one.token);
    expect(
      await api.post(`${path}/add`, { templateName: "来访", remark: "" }, token),
    ).toMatchObject({
      code: 0,
    });
    expect(await namesOf(one.token)).toContain("来访");
    const [row] = await inWhole(sql`
      select t.created_by = a.user_id as same, a.login_name from router_template t
      join audit a on a.resource = 'routerTemplate' and a.row_id = t.id where t.name = '来访'`);
    const { loginName } = (await sessionOf(one.token)).data as { loginName: string };
    expect(row).toEqual({ same: true, login_name: `${loginName}/visitor` });
  });

  test("sees what the issuer sees, and nothing of another tenant", async () => {
    await api.post(`${path}/add`, { templateName: "别家", remark: "" }, other.token);
    const names = await namesOf(await visitOf(one.token));
    expect(names).toEqual(await namesOf(one.token));
    expect(names).not.toContain("别家");
    expect(await namesOf(await visitOf(other.token))).toContain("别家");
  });
});

describe("endpoints:routerTemplate.endVisits", () => {
  const endAll = (token: string) => api.post(`${path}/endVisits`, {}, token);

  test("ends the links of that account, from whatever login, and no login", async () => {
    const [first, second] = [await api.logIn("admin"), await api.logIn("admin")];
    await endAll(first);
    const [mine, also, theirs] = [
      await visitOf(first),
      await visitOf(second),
      await visitOf(one.token),
    ];
    expect(await endAll(first)).toMatchObject({ code: 0, data: { ended: 2 } });
    for (const token of [mine, also]) expect(await list(token)).toMatchObject(dead);
    for (const token of [theirs, first, second])
      expect(await list(token)).toMatchObject({ code: 0 });
    expect(await endAll(first)).toMatchObject({ data: { ended: 0 } });
  });

  test("is not for those who came by a link", async () => {
    expect(await endAll(await visitOf(one.token))).toMatchObject({ code: 422 });
  });
});

describe("the token ends", () => {
  test("after its ten minutes however it is used: it is never replaced", async () => {
    const token = await visitOf(admin);
    for (let time = 0; time < 3; time++) {
      const answer = await list(token);
      expect([answer.code, answer.headers.authorization]).toEqual([0, undefined]);
    }
    // As close as a login comes to its replacement.
    await change(token, sql`created_at = now() - interval '11 minutes'`);
    expect((await list(token)).headers.authorization).toBeUndefined();
    await change(token, sql`expires_at = now() - interval '1 second'`);
    expect(await list(token)).toMatchObject(dead);
    expect(await sessionOf(token)).toMatchObject(dead);
  });

  test("with the login that gave it out, and not with another of the same person", async () => {
    const [first, second] = [await api.logIn("admin"), await api.logIn("admin")];
    const [gone, kept] = [await visitOf(first), await visitOf(second)];
    await api.post("/customer/user/logout", {}, first);
    expect(await list(gone)).toMatchObject(dead);
    expect(await list(kept)).toMatchObject({ code: 0 });
    expect(await sessionOf(second)).toMatchObject({ code: 0 });
  });

  test("not when that login gets another token", async () => {
    const first = await api.logIn("admin");
    const token = await visitOf(first);
    await change(first, sql`rotate_after = now() - interval '1 second'`);
    const fresh = String((await sessionOf(first)).headers.authorization);
    await change(first, sql`expires_at = now() - interval '1 second'`);
    expect(await list(token)).toMatchObject({ code: 0 });
    await api.post("/customer/user/logout", {}, fresh);
    expect(await list(token)).toMatchObject(dead);
  });

  test("when the issuer is disabled, loses the permission or changes the password", async () => {
    const user = { enterpriseId: one.ids.groupid, dataScope: 1 };
    const make = async () => {
      const token = await api.userToken(user);
      const { userId } = (await sessionOf(token)).data as { userId: number };
      return { token, userId, visit: await visitOf(token) };
    };
    const [disabled, poorer, changed] = [await make(), await make(), await make()];
    await inWhole(sql`update sys_user set enabled = false where id = ${disabled.userId}`);
    expect(await list(disabled.visit)).toMatchObject(dead);
    await inWhole(sql`delete from user_role where user_id = ${poorer.userId}`);
    expect(await list(poorer.visit)).toMatchObject({ code: 403 });
    const form = { oldPsw: adminPassword, newPsw: "t7Qm-x2vPz", rePsw: "t7Qm-x2vPz" };
    const answer = await api.post(
      "/customer/user/editpassword",
      { userId: changed.userId, ...form },
      changed.token,
    );
    expect(answer).toMatchObject({ code: 0 });
    expect(await list(changed.visit)).toMatchObject(dead);
    expect(await sessionOf(changed.token)).toMatchObject({ code: 0 });
  });

  test("and a ticket that its user had opens nothing more than the token", async () => {
    const token = await visitOf(admin);
    const [row] = await inWhole(sql<{ family: string }>`select family from session
      where token_hash = ${createHash("sha256").update(token).digest()}`);
    const { family } = row as { family: string };
    const revived = await api.app.weft.revive({ userId: 1, family, keyId: null });
    expect(revived?.user.authorities.toSorted()).toEqual(
      [entry, ...templatePermissions].toSorted(),
    );
    await change(token, sql`expires_at = now() - interval '1 second'`);
    expect(await api.app.weft.revive({ userId: 1, family, keyId: null })).toBeNull();
  });
});
