/** An agent with an enterprise below it and a sister, and people of different strength in them. */
import { grantedMenus } from "@weft/contract/grants.ts";
import type { Site } from "#kernel/api.ts";
import { type Answer, adminPassword, type TestApi, testApi } from "./api.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

export interface Person {
  readonly id: number;
  readonly loginName: string;
  readonly token: string;
}

export interface People {
  readonly api: TestApi;
  readonly admin: string;
  readonly agent: number;
  readonly below: number;
  readonly sister: number;
  /** Role of the agent's manager: scope 3, the user family, cpeEdit and cpeConfig. */
  readonly managing: number;
  /** Role in the agent's enterprise with a permission that the manager lacks. */
  readonly stronger: number;
  readonly manager: Person;
  /** Adds a role; the fields replace those of the sample. Without `menus` it gives all entries of the menu. */
  addRole(
    token: string,
    fields: Readonly<Record<string, unknown>> & { readonly menus?: readonly string[] },
  ): Promise<Answer>;
  /** Adds a user with the tests' password; the fields replace those of the sample. */
  addUser(token: string, fields: object): Promise<Answer>;
  /** Adds a user as user 1, and logs in. */
  person(groupid: number, roleIds: readonly number[]): Promise<Person>;
  /** A user's row as user 1 sees it. */
  rowOf(id: number, token?: string): Promise<Record<string, unknown> | undefined>;
}

export const userFamily = [
  "sysUserResetPwd",
  "sysUserList",
  "sysUserAdd",
  "sysUserEdit",
  "sysUserRemove",
];

let names = 0;

/** Makes all of them through the API. */
export async function people(site?: Site): Promise<People> {
  const api = await testApi(undefined, undefined, undefined, site);
  const admin = await api.logIn("admin");
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const enterprise = async (name: string, parentId: number) =>
    newIdOf(
      await api.post(
        "/customer/enterprise/add",
        wireDraft("enterprise", "valid", ids, { name, parentId }),
        admin,
      ),
    );
  const addRole: People["addRole"] = (token, fields) => {
    const roleCode = `role${++names}`;
    const { menus = grantedMenus, ...own } = fields;
    const draft = wireDraft("role", "valid", ids, { roleCode, name: roleCode, ...own });
    draft.authorities = [draft.authorities, ...menus].filter((code) => code !== "").join(",");
    return api.post("/customer/role/add", draft, token);
  };
  const addUser: People["addUser"] = (token, fields) => {
    const own = { loginName: `person${++names}@demo`, password: adminPassword };
    const draft = wireDraft("user", "valid", ids, { ...own, ...fields });
    return api.post("/customer/user/add", draft, token);
  };
  const person: People["person"] = async (groupid, roleIds) => {
    const loginName = `person${++names}@demo`;
    const id = newIdOf(await addUser(admin, { groupid, roleIds: roleIds.join(","), loginName }));
    return { id, loginName, token: await api.logIn(loginName) };
  };
  const agent = await enterprise("代理", 1);
  const below = await enterprise("下级", agent);
  const sister = await enterprise("旁系", 1);
  const wide = { groupid: agent, roleType: 1, dataScope: 3 };
  const held = [...userFamily, "cpeEdit", "cpeConfig"];
  const managing = newIdOf(await addRole(admin, { ...wide, authorities: held.join(",") }));
  const more = [...held, "cpeSsh"].join(",");
  const stronger = newIdOf(await addRole(admin, { ...wide, authorities: more }));
  const manager = await person(agent, [managing]);
  const rowOf: People["rowOf"] = async (id, token = admin) => {
    const { data } = await api.get("/customer/user/list", { limit: 1000 }, token);
    return (data as Record<string, unknown>[]).find(({ userId }) => userId === id);
  };
  return {
    api,
    admin,
    agent,
    below,
    sister,
    managing,
    stronger,
    manager,
    addRole,
    addUser,
    person,
    rowOf,
  };
}

/** An answer without what differs from call to call. */
export const outcome = ({ code, msg, data, issues }: Answer) => ({ code, msg, data, issues });
