import { grantedMenus } from "@weft/contract/grants.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { adminPassword } from "../../../../test/api.ts";
import { outcome, type People, people, userFamily } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

const absentId = 987_654_321;
const issue = (path: string, rule: string) => ({ code: 400, issues: [{ path, rule }] });
const oldPsw = adminPassword;
const listed = async (token: string, roleId: number) => {
  const { data } = await all.api.get("/customer/role/list", { limit: 1000 }, token);
  return (data as Record<string, unknown>[]).find((row) => row.roleId === roleId);
};
const edit = (token: string, roleId: number, fields: object) =>
  all.api.post(
    "/customer/role/edit",
    { ...wireDraft("role", "valid", { groupid: all.agent, cpeId: 0, popId: 0 }, fields), roleId },
    token,
  );

describe("adding a role", () => {
  test("that gives what its maker holds works", async () => {
    const { manager, agent, below, addRole } = all;
    const mine = { authorities: "cpeEdit", menus: [], roleType: 1 };
    for (const fields of [
      { groupid: agent, dataScope: 3 },
      { groupid: below, dataScope: 3 },
      { groupid: agent, dataScope: 4, groupids: `${agent},${below}` },
    ]) {
      const id = newIdOf(await addRole(manager.token, { ...mine, ...fields }));
      const { menus: _menus, ...row } = mine;
      expect(await listed(manager.token, id)).toMatchObject({ ...row, ...fields, manageable: 1 });
    }
  });

  test("with a permission that its maker lacks is refused with its name", async () => {
    const { manager, agent, addRole } = all;
    const answer = await addRole(manager.token, {
      groupid: agent,
      authorities: "cpeEdit,cpeSsh",
    });
    expect(answer).toMatchObject({ code: 403, msg: "缺少权限：CPE SSH，可向管理员申请" });
  });

  test("with an entry of the menu that its maker lacks is refused with its name", async () => {
    const { admin, agent, addRole, person } = all;
    const held = ["/system/rolemanage", "/sdwan-system/cpe"];
    const wide = { groupid: agent, roleType: 1, dataScope: 3, authorities: userFamily.join(",") };
    const { token } = await person(agent, [
      newIdOf(await addRole(admin, { ...wide, menus: held })),
    ]);
    const attempt = (menus: string[]) =>
      addRole(token, { groupid: agent, roleType: 1, authorities: "", menus });
    expect(await attempt(["/sdwan-system/cpe", "/system/configList"])).toMatchObject({
      code: 403,
      msg: "缺少权限：配置列表（菜单），可向管理员申请",
    });
    expect(await attempt(["/system/usermanage"])).toMatchObject(issue("authorities", "unknown"));
    const id = newIdOf(await attempt(["/sdwan-system/cpe"]));
    const save = (authorities: string) =>
      all.api.post("/customer/role/saveMenus", { roleId: id, authorities, oldPsw }, token);
    expect(await save("/system/configList")).toMatchObject({ code: 403 });
    expect(await listed(token, id)).toMatchObject({ authorities: "/sdwan-system/cpe" });
    expect(await save("")).toMatchObject({ code: 0 });
  });

  test("of a higher type, or wider than its maker sees, is refused", async () => {
    const { manager, agent, sister, below, addRole } = all;
    const attempt = (fields: object) => addRole(manager.token, { groupid: agent, ...fields });
    expect(await attempt({ roleType: 0 })).toMatchObject(issue("roleType", "notAllowed"));
    const naming = (groupids: string) => attempt({ dataScope: 4, groupids });
    expect(await naming("")).toMatchObject(issue("groupids", "atLeastOne"));
    expect(await naming(`${below},${sister}`)).toMatchObject(issue("groupids", "unknown"));
    expect(outcome(await naming(`${below},${sister}`))).toEqual(
      outcome(await naming(`${below},${absentId}`)),
    );
    expect(await attempt({ groupid: sister })).toMatchObject(issue("groupid", "unknown"));
  });

  test("by a user of one enterprise does not reach below it", async () => {
    const { person, addRole, admin, agent } = all;
    const authorities = userFamily.join(",");
    const local = newIdOf(await addRole(admin, { groupid: agent, dataScope: 1, authorities }));
    const { token } = await person(agent, [local]);
    const attempt = (dataScope: number) =>
      addRole(token, { groupid: agent, dataScope, authorities });
    expect(await attempt(3)).toMatchObject(issue("dataScope", "notAllowed"));
    expect(await attempt(1)).toMatchObject({ code: 0 });
    expect(await attempt(2)).toMatchObject({ code: 0 });
  });

  test("by a user limited to own data gives no more than that", async () => {
    const { person, addRole, admin, agent } = all;
    const authorities = userFamily.join(",");
    const own = newIdOf(await addRole(admin, { groupid: agent, dataScope: 2, authorities }));
    const { token } = await person(agent, [own]);
    const attempt = (fields: object) => addRole(token, { groupid: agent, authorities, ...fields });
    expect(await attempt({ dataScope: 1 })).toMatchObject(issue("dataScope", "notAllowed"));
    expect(await attempt({ dataScope: 4, groupids: agent })).toMatchObject(
      issue("groupids", "notAllowed"),
    );
    const id = newIdOf(await attempt({ dataScope: 2 }));
    expect(await listed(token, id)).toBeDefined();
    expect(await listed(token, own)).toBeUndefined();
  });

  test("requires the permission to create users", async () => {
    const { person, addRole, admin, agent } = all;
    const none = newIdOf(await addRole(admin, { groupid: agent, authorities: "" }));
    const { token } = await person(agent, [none]);
    expect(await addRole(token, { groupid: agent, authorities: "" })).toMatchObject({ code: 403 });
  });
});

describe("a role that gives more than the caller holds", () => {
  test("is shown, and neither changed nor removed nor given away", async () => {
    const { api, manager, stronger, agent } = all;
    const { token } = manager;
    const before = await listed(token, stronger);
    expect(before).toMatchObject({ manageable: 0 });
    for (const answer of [
      await edit(token, stronger, { roleCode: "mine" }),
      await api.post(
        "/customer/role/saveMenus",
        { roleId: stronger, authorities: "", oldPsw },
        token,
      ),
      await api.post(
        "/customer/role/saveDataScope",
        { roleId: stronger, dataScope: 2, oldPsw },
        token,
      ),
      await api.post("/customer/role/remove", { ids: stronger }, token),
    ]) {
      expect(answer).toMatchObject({ code: 422 });
    }
    expect(await listed(token, stronger)).toEqual(before);
    const { data } = await api.get("/customer/role/combo", { groupid: agent }, token);
    const ids = (data as { id: number }[]).map(({ id }) => id);
    expect(ids).toContain(all.managing);
    expect(ids).not.toContain(stronger);
  });

  test("because it names an enterprise out of sight, looks as strong as it is", async () => {
    const { api, admin, manager, agent, below, sister, addRole } = all;
    const fields = { groupid: agent, dataScope: 4, groupids: `${below},${sister}` };
    const id = newIdOf(await addRole(admin, { ...fields, authorities: "cpeEdit" }));
    expect(await listed(manager.token, id)).toMatchObject({
      groupids: String(below),
      manageable: 0,
    });
    const shrink = { roleId: id, dataScope: 4, groupids: below };
    expect(await api.post("/customer/role/saveDataScope", shrink, manager.token)).toMatchObject({
      code: 422,
    });
    expect(await listed(admin, id)).toMatchObject({ groupids: `${below},${sister}` });
  });
});

describe("changing a role", () => {
  test("B-6-22: counts for its users on their next call and menu load", async () => {
    const { api, admin, agent, addRole, person } = all;
    const menus = ["/sdwan-system/enterprisemanage"];
    const role = { groupid: agent, dataScope: 3, authorities: "sysUserList", menus };
    const id = newIdOf(await addRole(admin, role));
    const { token } = await person(agent, [id]);
    const users = () => api.get("/customer/user/list", {}, token);
    const enterprises = async () => (await api.get("/customer/enterprise/list", {}, token)).count;
    const codes = async () => (await api.get("/customer/session", {}, token)).data;
    expect(await users()).toMatchObject({ code: 0 });
    expect(await codes()).toMatchObject({ authorities: expect.arrayContaining(menus) });
    expect(await enterprises()).toBe(2);
    const save = (authorities: string) =>
      api.post("/customer/role/saveMenus", { roleId: id, authorities, oldPsw }, admin);
    await save(`cpeEdit,${menus}`);
    expect(await users()).toMatchObject({ code: 403 });
    await api.post("/customer/role/saveDataScope", { roleId: id, dataScope: 1, oldPsw }, admin);
    expect(await enterprises()).toBe(1);
    await save("cpeEdit");
    expect(await api.get("/customer/enterprise/list", {}, token)).toMatchObject({ code: 403 });
    expect(await codes()).toMatchObject({ authorities: ["cpeEdit"] });
    expect(await listed(admin, id)).toMatchObject({ authorities: "cpeEdit", dataScope: 1 });
  });

  test("of the caller's own is refused where it changes what he holds", async () => {
    const { api, manager, managing } = all;
    const save = (authorities: string[]) =>
      api.post(
        "/customer/role/saveMenus",
        { roleId: managing, authorities: authorities.join(","), oldPsw },
        manager.token,
      );
    expect(await save(["sysUserEdit"])).toMatchObject({ code: 422 });
    expect(await save([...userFamily, "cpeEdit", "cpeConfig", ...grantedMenus])).toMatchObject({
      code: 0,
    });
    const row = await listed(manager.token, managing);
    expect(await edit(manager.token, managing, { ...row, name: "管理员" })).toMatchObject({
      code: 0,
    });
    const { rowVersion, ...rest }: Record<string, unknown> = { ...row, name: "管理员" };
    const saved = await listed(manager.token, managing);
    expect(saved).toMatchObject(rest);
    expect(saved?.rowVersion).not.toBe(rowVersion);
  });

  test("keeps it in its enterprise", async () => {
    const { admin, agent, below, addRole } = all;
    const id = newIdOf(await addRole(admin, { groupid: agent }));
    expect(await edit(admin, id, { groupid: below })).toMatchObject(issue("groupid", "notAllowed"));
  });

  test("forgets selected enterprises with the scope that they belong to", async () => {
    const { api, admin, agent, below, addRole } = all;
    const id = newIdOf(await addRole(admin, { groupid: agent, dataScope: 4, groupids: below }));
    const save = (fields: object) =>
      api.post("/customer/role/saveDataScope", { roleId: id, oldPsw, ...fields }, admin);
    expect(await save({ dataScope: 1, groupids: below })).toMatchObject({ code: 0 });
    expect(await listed(admin, id)).toMatchObject({ dataScope: 1, groupids: "" });
    expect(await save({ dataScope: 4 })).toMatchObject(issue("groupids", "atLeastOne"));
  });
});

test("a role's permissions come with the menu nodes that follow from them", async () => {
  const { api, admin, agent, addRole } = all;
  const menus = async (authorities: string) => {
    const roleId = newIdOf(await addRole(admin, { groupid: agent, authorities, menus: [] }));
    const { data } = await api.get("/customer/role/menus", { roleId }, admin);
    return data as { menuIds: number[]; authorities: string[] };
  };
  const [some, more] = [
    await menus("cpeEdit"),
    await menus("/system/configList,sysUserList,cpeEdit"),
  ];
  expect(more.authorities).toEqual(["cpeEdit", "sysUserList", "/system/configList"]);
  expect(more.menuIds).toEqual(expect.arrayContaining(some.menuIds));
  expect(more.menuIds.length).toBeGreaterThan(some.menuIds.length);
  const foreign = (roleId: number) =>
    api.get("/customer/role/menus", { roleId }, all.manager.token);
  expect(outcome(await foreign(1))).toEqual(outcome(await foreign(absentId)));
});

test("a role that users have is not removed, in a comma list neither", async () => {
  const { api, admin, agent, addRole, person } = all;
  const free = newIdOf(await addRole(admin, { groupid: agent }));
  const used = newIdOf(await addRole(admin, { groupid: agent }));
  await person(agent, [used]);
  const answer = await api.post("/customer/role/remove", { ids: `${free},${used}` }, admin);
  expect(answer).toMatchObject({ code: 409, msg: "仍被使用：用户，先删除或解除引用" });
  expect(await listed(admin, free)).toBeDefined();
  expect(await api.post("/customer/role/remove", { ids: free }, admin)).toMatchObject({ code: 0 });
});

test("the database itself keeps roles and users of two enterprises apart", async () => {
  const { api, managing, sister, person } = all;
  const stranger = await person(sister, []);
  const insert = inScope(api.database.pools.apiAll, { kind: "all" }, (trx) =>
    trx
      .insertInto("user_role")
      .values({ user_id: stranger.id, role_id: managing, enterprise_id: sister })
      .execute(),
  );
  await expect(insert).rejects.toThrow(/user_role_role/);
});

test("a transaction without a scope treats a role of scope 4 as reaching beyond", async () => {
  const { api, admin, agent, below, addRole } = all;
  const id = newIdOf(await addRole(admin, { groupid: agent, dataScope: 4, groupids: below }));
  const beyond = async (ids: number[]) => {
    const scope = { kind: "enterprises", ids, userId: null, ownOnly: false } as const;
    const { rows } = await inScope(api.database.pools.api, scope, (trx) =>
      sql<{ beyond: boolean }>`select weft.reaches_beyond(${id}) as beyond`.execute(trx),
    );
    return rows[0]?.beyond;
  };
  expect(await beyond([])).toBe(true);
  expect(await beyond([agent])).toBe(true);
  expect(await beyond([agent, below])).toBe(false);
});
