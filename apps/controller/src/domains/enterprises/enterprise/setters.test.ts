/** Who may set what of an enterprise, a user and a role: each field is decided, and the routes ask. */
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { roleSetters } from "@weft/contract/domains/access/role.ts";
import { userSetters } from "@weft/contract/domains/access/user.ts";
import { enterpriseSetters } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { FieldSetterRule } from "@weft/contract/kernel/field-setters.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { adminPassword } from "../../../../test/api.ts";
import { setUpMfa } from "../../../../test/mfa.ts";
import { type People, people } from "../../../../test/people.ts";
import { wireDraft } from "../../../../test/tenants.ts";

let all: People;
/** Of the agent's enterprise, with MFA and every permission, over all below. */
let own: string;
/** Above it. */
let above: string;
beforeAll(async () => {
  all = await people();
  own = await all.api.userToken({ enterpriseId: all.agent, dataScope: 3, roleType: 1 });
  above = (await all.person(1, [1])).token;
  for (const token of [own, above]) await setUpMfa(all.api, token);
}, 60_000);
afterAll(() => all.api.close());

type Setters = Readonly<Record<string, FieldSetterRule>>;
const isAbove = (rule: FieldSetterRule): boolean => typeof rule === "object" && rule.above === true;
const fromAbove = Object.entries(enterpriseSetters as Setters)
  .filter(([, rule]) => isAbove(rule))
  .map(([field]) => field);

/** Another value than a new enterprise of the sample has; a field from above without one fails below. */
const others: Record<string, unknown> = {
  enterpriseType: 1,
  parentId: "sister",
  isAgent: 1,
  passwordPolicy: "15+",
  businessType: "speed",
  endTime: "2099-06-30 00:00:00",
  cpeLimit: 9,
  accountLimit: 9,
  creditLimit: 7,
  enable: 0,
};

describe("what an enterprise does not set for itself", () => {
  const set = (groupid: number, name: string, field: string, token: string) => {
    // One that the caller sees: of another one nothing is asked.
    const parent = token === own ? all.below : all.sister;
    const value = field === "parentId" ? parent : others[field];
    if (field === "enable") {
      return all.api.post("/customer/enterprise/editEn", { groupid, enable: value }, token);
    }
    const ids = { groupid, cpeId: 0, popId: 0 };
    // Its own parent is out of its sight.
    const parentId = token === own ? "" : 1;
    const draft = wireDraft("enterprise", "valid", ids, { name, parentId, [field]: value });
    return all.api.post("/customer/enterprise/edit", { ...draft, groupid }, token);
  };

  test("is all that others sell it or demand of it, and what it is", () => {
    expect([...fromAbove].sort()).toEqual(Object.keys(others).sort());
  });

  test.each(fromAbove)("%s", async (field) => {
    expect(await set(all.agent, "代理", field, own)).toMatchObject({
      code: 400,
      issues: [{ path: field, rule: "fromAbove" }],
    });
    expect(await set(all.agent, "代理", field, above)).toMatchObject({ code: 0 });
    const { api, agent } = all;
    await api.post(
      "/customer/enterprise/editEn",
      { groupid: agent, enable: 1, oldPsw: adminPassword },
      above,
    );
    const ids = { groupid: agent, cpeId: 0, popId: 0 };
    const same = wireDraft("enterprise", "valid", ids, { name: "代理", parentId: 1 });
    await api.post("/customer/enterprise/edit", { ...same, groupid: agent }, above);
  });

  test("is taken as it is, with the parent that it does not see", async () => {
    const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
    const sold = {
      name: "代理",
      enterpriseType: 1,
      isAgent: 1,
      businessType: "speed",
      endTime: "2099-06-30 00:00:00",
      cpeLimit: 90,
      accountLimit: 90,
      creditLimit: 7,
    };
    const draft = wireDraft("enterprise", "valid", ids, sold);
    const edit = (fields: object, token: string) =>
      all.api.post("/customer/enterprise/edit", { ...draft, ...fields, groupid: all.agent }, token);
    expect(await edit({ parentId: 1 }, above)).toMatchObject({ code: 0 });
    // A time that a program wrote has parts of a second, which no call shows.
    await sql`update weft.enterprise set end_at = end_at + interval '0.25 s' where id = ${all.agent}`.execute(
      all.api.database.pools.owner.db,
    );
    expect(await edit({ parentId: "", remark: "own" }, own)).toMatchObject({ code: 0 });
    const same = wireDraft("enterprise", "valid", ids, { name: "代理", parentId: 1 });
    await all.api.post("/customer/enterprise/edit", { ...same, groupid: all.agent }, above);
  });

  test("is not found out by trying: a parent that it does not see, one of elsewhere and none get one answer", async () => {
    // A policy of elsewhere once gave another answer than one that is not there.
    const policies = (sister: string, agent: string) =>
      sql`update weft.enterprise set password_policy = case id when ${all.sister} then ${sister}
        else ${agent} end where id in (${all.sister}, ${all.agent})`.execute(
        all.api.database.pools.owner.db,
      );
    const answers = async (id: number | null, token: string) => {
      const found: unknown[] = [];
      for (const parentId of [1, all.sister, 999_999]) {
        const ids = { groupid: all.agent, cpeId: 0, popId: 0 };
        const draft = wireDraft("enterprise", "valid", ids, { name: "试", parentId });
        const call = id === null ? "add" : "edit";
        const fields = id === null ? draft : { ...draft, groupid: id };
        const { code, msg, issues } = await all.api.post(
          `/customer/enterprise/${call}`,
          fields,
          token,
        );
        found.push({ code, msg, issues });
      }
      return found;
    };
    const unknown = { code: 400, issues: [{ path: "parentId", rule: "unknown" }] };
    const factorless = await all.api.userToken({
      enterpriseId: all.agent,
      dataScope: 3,
      roleType: 1,
    });
    try {
      await policies("8+MFA", "spec");
      for (const token of [own, factorless]) {
        for (const id of [null, all.agent, all.below]) {
          const [first, ...others] = await answers(id, token);
          expect(first).toMatchObject(unknown);
          expect(others).toEqual([first, first]);
        }
      }
    } finally {
      await policies("spec", "spec");
    }
    const listed = (parentId: number, token: string) =>
      all.api.get("/customer/enterprise/list", { parentId, limit: 100 }, token);
    expect(await listed(1, own)).toMatchObject({ count: 0 });
    expect(await listed(all.agent, own)).toMatchObject({ data: [{ groupid: all.below }] });
  });

  test("is a field of the row, for forms", async () => {
    const list = async (token: string) => {
      const { data } = await all.api.get("/customer/enterprise/list", { limit: 100 }, token);
      const rows = data as { groupid: number; fromAbove: number }[];
      return Object.fromEntries(rows.map((row) => [row.groupid, row.fromAbove]));
    };
    expect(await list(own)).toEqual({ [all.agent]: 0, [all.below]: 1 });
    expect(await list(above)).toMatchObject({ 1: 1, [all.agent]: 1, [all.below]: 1 });
  });
});

describe("every field that a call sets", () => {
  /** Fields that name the row, or prove something of the caller. */
  const besides = ["groupid", "userId", "roleId", "rowVersion", "ids", "oldPsw"];
  const settersOf: Record<string, Setters> = {
    "/customer/enterprise/": enterpriseSetters,
    "/customer/enterpriseInfo/": enterpriseSetters,
    "/customer/user/": userSetters,
    "/customer/role/": roleSetters,
  };
  const acting = allEndpoints.filter(
    ({ acts, path }) => acts && Object.keys(settersOf).some((start) => path.startsWith(start)),
  );
  /** Calls of a user's own session, which have their own proof, and postings of the ledger, which set no field. */
  const apart = /\/(?:logout|editpassword|endSession|confirmBegin|confirm|charge)$/;

  test.each(acting.filter(({ path }) => !apart.test(path)).map((one) => [one.path, one] as const))(
    "%s is in the table of who may set it",
    (path, { input }) => {
      const setters =
        Object.entries(settersOf).find(([start]) => path.startsWith(start))?.[1] ?? {};
      const fields = Object.keys((input as z.ZodObject).shape).map((name) =>
        name === "newPsw" ? "password" : name,
      );
      for (const field of fields.filter((field) => !besides.includes(field))) {
        expect(setters, field).toHaveProperty(field);
        expect(setters[field], field).not.toBe("computed");
      }
    },
  );
});
