/** What demands MFA of others is changed by people who have it, from above, and never by a program. */
import { grantedMenus } from "@weft/contract/grants.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../../test/api.ts";
import { setUpMfa } from "../../../../test/mfa.ts";
import { type People, type Person, people, userFamily } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
/** Of the operator, with MFA: may all, and is above all. */
let chief: string;
/** Of the agent's enterprise, with MFA: may all that concerns it. */
let own: Person;
let ownRole: number;
const authorities = [
  ...userFamily,
  "enterpriseEdit",
  "enterpriseEditParent",
  "cpeEdit",
  ...grantedMenus,
].join(",");
const few = ["cpeEdit", ...grantedMenus].join(",");
beforeAll(async () => {
  all = await people();
  const { addRole, admin, agent, api, person } = all;
  chief = (await person(1, [1])).token;
  await setUpMfa(api, chief);
  const fields = { groupid: agent, roleType: 1, dataScope: 3, authorities };
  ownRole = newIdOf(await addRole(admin, fields));
  own = await person(agent, [ownRole]);
  await setUpMfa(api, own.token);
}, 60_000);
afterAll(() => all.api.close());

const post = (path: string, fields: object, token: string): Promise<Answer> =>
  all.api.post(path, fields, token);
const issue = (path: string, rule: string) => ({ code: 400, issues: [{ path, rule }] });
const done = { code: 0 };
let names = 0;

interface NewRole {
  readonly id: number;
  set(demandFactor: 0 | 1, token: string): Promise<Answer>;
}
const role = async (fields: object = {}): Promise<NewRole> => {
  const name = `demand${++names}`;
  const draft = { groupid: all.agent, authorities: few, roleCode: name, name, ...fields };
  const id = newIdOf(await all.addRole(all.admin, draft));
  const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
  return {
    id,
    set: (demandFactor, token) =>
      post(
        "/customer/role/edit",
        { ...wireDraft("role", "valid", ids, { ...draft, demandFactor }), roleId: id },
        token,
      ),
  };
};
const policy = (groupid: number, fields: object, token: string) => {
  const named = { [all.agent]: "代理", [all.below]: "下级", [all.sister]: "旁系" }[groupid];
  // Its own parent is out of its sight.
  const top = token === own.token ? "" : 1;
  const parentId = groupid === all.below ? all.agent : top;
  const ids = { groupid, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", ids, { name: named, parentId, ...fields });
  return post("/customer/enterprise/edit", { ...draft, groupid }, token);
};
const keyOf = async (token: string, roleId: number): Promise<string> => {
  const ids = { groupid: all.agent, cpeId: 0, popId: 0, roleId };
  const draft = wireDraft("apiKey", "valid", ids, { name: `demand${++names}` });
  const { data } = await post("/customer/apiKey/add", draft, token);
  return (data as { key: string }).key;
};

describe("the demand of a role", () => {
  test("is set by who has MFA, and ended from above the enterprise, not by its own people", async () => {
    const one = await role();
    expect(await one.set(1, all.admin)).toMatchObject(issue("demandFactor", "mfaNeeded"));
    expect(await one.set(1, own.token)).toMatchObject(done);
    expect(await one.set(0, own.token)).toMatchObject(issue("demandFactor", "fromAbove"));
    expect(await one.set(0, all.admin)).toMatchObject(issue("demandFactor", "mfaNeeded"));
    expect(await one.set(0, chief)).toMatchObject(done);
  });

  test("is not changed by a key, whoever made it", async () => {
    const one = await role();
    expect(await one.set(1, chief)).toMatchObject(done);
    const local = await role({ roleType: 1, authorities });
    const maker = await all.person(all.agent, [local.id]);
    await setUpMfa(all.api, maker.token);
    const key = await keyOf(maker.token, local.id);
    expect(await one.set(0, key)).toMatchObject(issue("demandFactor", "personOnly"));
    // What is no grant and no demand it may edit.
    expect(await one.set(1, key)).toMatchObject(done);
  });

  test("follows a user into other roles, unless who changes them has MFA", async () => {
    const [strict, lax] = [await role({ demandFactor: 1 }), await role()];
    const { id } = await all.person(all.agent, [strict.id]);
    const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
    const row = await all.rowOf(id);
    const give = (roleIds: string, token: string, fields: object = {}) =>
      post(
        "/customer/user/edit",
        {
          ...wireDraft("user", "valid", ids, { ...row, roleIds, ...fields }),
          userId: id,
          rowVersion: "",
        },
        token,
      );
    expect(await give(`${lax.id}`, all.admin)).toMatchObject(issue("roleIds", "mfaNeeded"));
    expect(await give("", all.admin, { groupid: all.sister })).toMatchObject(
      issue("groupid", "mfaNeeded"),
    );
    expect(await give(`${strict.id},${lax.id}`, all.admin)).toMatchObject(done);
    expect(await give(`${lax.id}`, chief)).toMatchObject(done);
  });
});

describe("the demand of a password policy", () => {
  test("is set and ended from above, by who has MFA; other lengths need none", async () => {
    const { agent, below, sister, admin } = all;
    expect(await policy(sister, { passwordPolicy: "15+" }, admin)).toMatchObject(done);
    expect(await policy(sister, { passwordPolicy: "spec" }, admin)).toMatchObject(done);
    const strict = { passwordPolicy: "8+MFA" };
    const refused = (rule: string) => issue("passwordPolicy", rule);
    expect(await policy(agent, strict, admin)).toMatchObject(refused("mfaNeeded"));
    expect(await policy(agent, strict, own.token)).toMatchObject(refused("fromAbove"));
    expect(await policy(agent, strict, chief)).toMatchObject(done);
    expect(await policy(agent, {}, admin)).toMatchObject(refused("mfaNeeded"));
    expect(await policy(agent, {}, own.token)).toMatchObject(refused("fromAbove"));
    // Below it the agent decides.
    expect(await policy(below, strict, own.token)).toMatchObject(done);
    expect(await policy(below, {}, own.token)).toMatchObject(done);
    // A move is no way out of it.
    expect(await policy(below, { parentId: sister }, admin)).toMatchObject(
      issue("parentId", "mfaNeeded"),
    );
    expect(await policy(agent, {}, chief)).toMatchObject(done);
    expect(await policy(below, { parentId: sister }, admin)).toMatchObject(done);
    expect(await policy(below, { parentId: agent }, admin)).toMatchObject(done);
  });

  test("is not changed by a key", async () => {
    const ids = { groupid: 1, cpeId: 0, popId: 0, roleId: 1 };
    const draft = wireDraft("apiKey", "valid", ids, { name: "policy" });
    const { data } = await post("/customer/apiKey/add", draft, chief);
    const { key } = data as { key: string };
    for (const passwordPolicy of ["8+MFA", "15+"]) {
      expect(await policy(all.sister, { passwordPolicy }, key)).toMatchObject(
        issue("passwordPolicy", "personOnly"),
      );
    }
    expect(await policy(all.sister, { contact: "王芳" }, key)).toMatchObject(done);
  });
});

test("an identity provider is trusted with MFA by who has MFA, and from above where that is demanded", async () => {
  const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
  const add = (token: string, fields: object = {}) =>
    post(
      "/customer/identityProvider/add",
      wireDraft("identityProvider", "valid", ids, {
        name: `idp${++names}`,
        roleMap: "",
        providerMfa: 1,
        ...fields,
      }),
      token,
    );
  expect(await add(all.manager.token)).toMatchObject(issue("providerMfa", "mfaNeeded"));
  expect(await add(all.manager.token, { providerMfa: 0 })).toMatchObject(done);
  expect(await add(own.token)).toMatchObject(done);
  const topmost = (passwordPolicy: string) => {
    const name = "运营中心";
    const draft = wireDraft("enterprise", "valid", ids, { name, parentId: "", passwordPolicy });
    return post("/customer/enterprise/edit", { ...draft, groupid: 1 }, chief);
  };
  expect(await topmost("8+MFA")).toMatchObject(done);
  expect(await add(own.token)).toMatchObject(issue("providerMfa", "fromAbove"));
  expect(await add(chief)).toMatchObject(done);
  expect(await topmost("spec")).toMatchObject(done);
});

describe("a key", () => {
  const cpes = (key: string) => all.api.get("/customer/cpe/findAll", {}, key);

  test("rests while its maker lacks MFA that is demanded, and works again once it is set up", async () => {
    const local = await role({ roleType: 1, authorities });
    const maker = await all.person(all.agent, [local.id]);
    const key = await keyOf(maker.token, local.id);
    expect(await cpes(key)).toMatchObject(done);
    expect(await local.set(1, chief)).toMatchObject(done);
    expect(await cpes(key)).toMatchObject({ code: 464 });
    const { data } = await all.api.get("/customer/session", {}, key);
    expect(data).toMatchObject({ mustAddFactor: 1, authorities: [] });
    await setUpMfa(all.api, maker.token);
    expect(await cpes(key)).toMatchObject(done);
  });

  test("rests while its own role demands MFA that its maker lacks", async () => {
    const strict = await role({ demandFactor: 1 });
    const key = await keyOf(all.manager.token, strict.id);
    expect(await cpes(key)).toMatchObject({ code: 464 });
    const other = await keyOf(own.token, strict.id);
    expect(await cpes(other)).toMatchObject(done);
  });
});
