/**
 * One battery for every family of router policy objects, in both scopes: who reaches which rows,
 * what is refused, and how many statements each verb costs. A family brings its sample.
 */

import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { type PolicyRefs, policySamples } from "@weft/contract/domains/policies/policy-samples.ts";
import type { PolicyFamily, PolicyScope } from "@weft/contract/kernel/policy-family.ts";
import { policyScopes } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource, Verb } from "@weft/contract/kernel/resource.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, testApi } from "./api.ts";
import {
  listPath,
  makePolicyRows,
  makeTemplate,
  type OwnerInput,
  policyDraft,
} from "./policy-world.ts";
import { statementsBy } from "./statements.ts";
import { makeTenant, newIdOf, type Tenant } from "./tenants.ts";

const api = await testApi();
const absentId = 987_654_321;

interface Place {
  readonly tenant: Tenant;
  readonly owner: OwnerInput;
  readonly refs: PolicyRefs;
}
const places = {} as Record<PolicyScope, { home: Place; other: Place; beside: Place }>;

beforeAll(async () => {
  const admin = await api.logIn("admin");
  const home = await makeTenant(api, admin, "home");
  const other = await makeTenant(api, admin, "other");
  const place = async (tenant: Tenant, scope: PolicyScope, kind: "cpe" | "pop"): Promise<Place> => {
    const owner: OwnerInput =
      scope === "template"
        ? { templateId: await makeTemplate(api, tenant.token) }
        : kind === "cpe"
          ? { cpeId: tenant.ids.cpeId }
          : { popId: tenant.ids.popId };
    return { tenant, owner, refs: await makePolicyRows(api, [tenant.token], scope, owner) };
  };
  for (const scope of policyScopes) {
    places[scope] = {
      home: await place(home, scope, "cpe"),
      other: await place(other, scope, "cpe"),
      // Another owner of the same tenant.
      beside: await place(home, scope, "pop"),
    };
  }
}, 240_000);
afterAll(() => api.close());

const outcome = ({ code, msg, data, count, issues, bug }: Answer) => ({
  code,
  bug,
  msg,
  data,
  count,
  issues,
});
const counts: Record<string, Record<string, number>> = {};

const cases = policyFamilies.flatMap((family) =>
  policyScopes.map((scope) => [family[scope].resource.name, family, scope] as const),
);

describe.each(cases)("%s", (name, family, scope) => {
  const { resource } = family[scope];
  const { ops } = resource as AnyResource;
  const has = (verb: Verb) => resource.verbs.includes(verb);
  const draft = ({ owner, refs }: Place, replaced: object = {}) =>
    policyDraft(family, scope, owner, refs, replaced);
  const post = (verb: Verb, fields: object, { tenant }: Place) =>
    api.post(ops[verb].path, fields, tenant.token);
  const rowsOf = async (
    { tenant, owner }: Place,
    like: object = {},
  ): Promise<Record<string, unknown>[]> => {
    const answer = await api.get(
      listPath(family[scope], like),
      { ...owner, limit: 1000 },
      tenant.token,
    );
    expect(answer).toMatchObject({ code: 0 });
    return answer.data as Record<string, unknown>[];
  };
  const idsOf = async (place: Place, like: object) =>
    (await rowsOf(place, like)).map(({ id }) => id);
  const add = async (place: Place, replaced: object = {}) => {
    const fields = draft(place, replaced);
    return { fields, id: newIdOf(await post("add", fields, place)) };
  };
  const shown = (fields: Record<string, unknown>): Record<string, unknown> => {
    const hidden = ["templateId", "cpeId", "popId", ...(family.spec.secret ?? [])];
    return Object.fromEntries(Object.entries(fields).filter(([key]) => !hidden.includes(key)));
  };

  /** What a family has no verb for is not tested, and not skipped either. */
  const withVerb = (verb: Verb, title: string, run: () => Promise<void>): void => {
    if (has(verb)) test(title, run);
  };

  if (scope === "manage")
    withVerb("edit", "an edit that names two owners is refused", async () => {
      const { home } = places[scope];
      const fields = { ...draft(home), cpeId: 1, popId: 1, id: 1 };
      expect(await post("edit", fields, home)).toMatchObject({
        code: 400,
        issues: [{ path: "popId", rule: "notAllowed" }],
      });
    });

  withVerb(
    "add",
    `endpoints:${name}.add endpoints:${name}.${family.spec.rename?.edit ?? "edit"} endpoints:${name}.remove B-7.4-02: a row round-trips`,
    async () => {
      const { home } = places[scope];
      const { id, fields } = await add(home);
      const rowOf = async () => (await rowsOf(home, fields)).find((row) => row.id === id);
      const { sort, ...kept } = shown(fields);
      expect(await rowOf()).toMatchObject(kept);
      if (family.spec.isOrdered) expect(await rowOf()).toMatchObject({ sort: expect.any(Number) });
      if (has("edit")) {
        const edited = { ...fields, ...draft(home, policySamples[family.name]?.edited) };
        expect(await post("edit", { ...edited, id }, home)).toMatchObject({ code: 0 });
        const { sort: place, ...changed } = shown(edited);
        expect(await rowOf()).toMatchObject({ ...changed, ...(Boolean(place) && { sort: place }) });
      }
      const held = await post("remove", { ...home.owner, ids: id }, home);
      expect(held).toMatchObject({ code: 0, data: null });
      expect(await rowOf()).toBeUndefined();
    },
  );

  test.each(listed(family, scope))(
    "endpoints:%s B-7.4-02 lists, pages, sorts and searches",
    async (_, path) => {
      const { home } = places[scope];
      const list = (query: object) => api.get(path, { ...home.owner, ...query }, home.tenant.token);
      const first = await list({ limit: 1 });
      expect(first).toMatchObject({ code: 0, count: expect.any(Number) });
      expect((first.data as object[]).length).toBe(Math.min(1, first.count ?? 0));
      for (const orderByColumn of resource.sort) {
        expect(await list({ orderByColumn, isAsc: "desc" })).toMatchObject({ code: 0 });
      }
      expect(await list({ [family.spec.label]: "no such row%" })).toMatchObject({
        code: 0,
        count: 0,
      });
      expect(await list({ orderByColumn: "id; drop table node" })).toMatchObject({ code: 400 });
      const noOne = await api.get(path, {}, home.tenant.token);
      expect(noOne).toMatchObject({ code: 400 });
    },
  );

  withVerb(
    "combo",
    `endpoints:${name}.combo B-7.4-03: id and name of the owner's own rows`,
    async () => {
      const { home, beside } = places[scope];
      const combo = async ({ owner, tenant }: Place) =>
        (await api.get(ops.combo.path, owner, tenant.token)).data as {
          id: number;
          name: string;
        }[];
      const own = await combo(home);
      expect(own.map(({ id }) => id)).toContain(home.refs[family.name]);
      expect(own.every(({ name: names }) => names !== "")).toBe(true);
      expect((await combo(beside)).map(({ id }) => id)).not.toContain(home.refs[family.name]);
    },
  );

  test("another tenant's owner and rows are answered as absent ones", async () => {
    const { home, other } = places[scope];
    const [field = "", foreign = 0] = Object.entries(home.owner)[0] ?? [];
    const id = home.refs[family.name] ?? 0;
    const alike = async (attempt: (owner: OwnerInput, row: number) => Promise<Answer>) => {
      const there = outcome(await attempt({ [field]: foreign }, id));
      expect(there).toEqual(outcome(await attempt({ [field]: absentId }, absentId)));
      return there;
    };
    const ask = (path: string) => (owner: OwnerInput) => api.get(path, owner, other.tenant.token);
    for (const path of listed(family, scope).map(([, one]) => one)) {
      expect(await alike(ask(path))).toMatchObject({ code: 0, count: 0 });
    }
    if (has("combo")) expect(await alike(ask(ops.combo.path))).toMatchObject({ data: [] });
    const before = await rowsOf(home);
    const fields = draft(other);
    if (has("add")) {
      const add = (owner: OwnerInput) => post("add", { ...fields, ...owner }, other);
      expect(await alike(add)).toMatchObject({
        code: 400,
        issues: [{ path: field, rule: "unknown" }],
      });
    }
    if (has("edit")) {
      const edit = (owner: OwnerInput, row: number) =>
        post("edit", { ...fields, ...owner, id: row }, other);
      expect((await alike(edit)).code).toBe(400);
      const inside = (row: number) => post("edit", { ...fields, id: row }, other);
      expect(outcome(await inside(id))).toEqual(outcome(await inside(absentId)));
      expect((await inside(id)).code).toBe(404);
    }
    if (has("remove")) {
      const remove = (owner: OwnerInput, row: number) =>
        post("remove", { ...owner, ids: row }, other);
      expect((await alike(remove)).code).toBe(404);
    }
    expect(await rowsOf(home)).toEqual(before);
  });

  test("a row of another owner of the same tenant is not there", async () => {
    const { home, beside } = places[scope];
    const id = home.refs[family.name] ?? 0;
    if (has("edit")) {
      expect(await post("edit", { ...draft(beside), id }, beside)).toMatchObject({ code: 404 });
    }
    if (has("remove")) {
      const alone = has("add") ? (await add(home)).id : id;
      expect(await post("remove", { ...beside.owner, ids: alone }, beside)).toMatchObject({
        code: 404,
      });
      if (has("add")) await post("remove", { ...home.owner, ids: alone }, home);
    }
  });

  withVerb("add", "references lead to rows of the same owner only", async () => {
    const { home, beside, other } = places[scope];
    for (const [field, target = ""] of Object.entries(family.spec.references ?? {})) {
      for (const strange of [beside.refs[target], other.refs[target], absentId]) {
        const fields = { ...draft(home), [field]: strange };
        expect(await post("add", fields, home), field).toMatchObject({
          code: 400,
          issues: [{ path: field, rule: "unknown" }],
        });
      }
    }
  });

  withVerb("add", "what people call a row is there once a owner", async () => {
    const { home, beside } = places[scope];
    const { label } = family.spec;
    const { id, fields } = await add(home);
    const again = await post("add", { ...draft(home), ...fields }, home);
    // Mappings on any line are one another's only where the line is named.
    if (family.name !== "routerPortmapping") {
      expect(again).toMatchObject({ code: 400, issues: [{ path: label, rule: "taken" }] });
    }
    const there = await post("add", { ...draft(beside), [label]: fields[label] }, beside);
    expect(there).toMatchObject({ code: 0 });
    await post("remove", { ...home.owner, ids: id }, home);
    await post("remove", { ...beside.owner, ids: newIdOf(there) }, beside);
  });

  test.each(policySamples[family.name]?.invalid ?? [])(
    "B-5-30: $field = $value breaks $rule, and nothing is written",
    async ({ field, value, rule }) => {
      const { home } = places[scope];
      const fields = draft(home);
      const wire = value === null ? "" : String(value);
      const before = await idsOf(home, fields);
      const verb = has("add") ? "add" : "edit";
      const id = home.refs[family.name];
      const answer = await post(verb, { ...fields, id, [field]: wire }, home);
      expect(answer).toMatchObject({ status: 200, code: 400 });
      expect(answer.issues?.map((issue) => issue.rule)).toContain(rule);
      expect(await idsOf(home, fields)).toEqual(before);
    },
  );

  test("each verb costs as many statements as it did", async () => {
    const { home } = places[scope];
    const { measured, measure } = statementsBy(api, home.tenant.token);
    const id = has("add")
      ? await measure("add", async () => (await add(home)).id)
      : (home.refs[family.name] ?? 0);
    const { token } = home.tenant;
    await measure("list", () => api.get(ops.list.path, { ...home.owner, limit: 40 }, token));
    if (has("combo")) await measure("combo", () => api.get(ops.combo.path, home.owner, token));
    if (has("edit")) await measure("edit", () => post("edit", { ...draft(home), id }, home));
    if (has("remove")) {
      await measure("remove", () => post("remove", { ...home.owner, ids: id }, home));
    }
    counts[name] = measured;
  });
});

function listed(family: PolicyFamily, scope: PolicyScope): (readonly [string, string])[] {
  const { resource, lists } = family[scope];
  const all = Object.values(lists);
  const { ops } = resource as AnyResource;
  return (all.length > 0 ? all : [ops.list]).map(({ id, path }) => [id, path] as const);
}

test("the number of statements of every verb is as frozen", async () => {
  await expect(`${JSON.stringify(counts, null, 2)}\n`).toMatchFileSnapshot(
    "./policy-query-counts.json",
  );
});
