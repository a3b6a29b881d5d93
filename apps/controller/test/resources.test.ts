/**
 * One battery for every resource that the contract declares: who may call it, whose rows it
 * reaches, what it refuses, and how many statements it costs. A resource brings its samples.
 */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import type { AnyResource, Verb } from "@weft/contract/kernel/resource.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { referenceKinds } from "@weft/contract/sheet-fields.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Answer, testApi } from "./api.ts";
import queryCounts from "./query-counts.json" with { type: "json" };
import { statementsBy } from "./statements.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

// Here and not in a hook: which resources there are to test is what the application mounts.
const api = await testApi();
let home: Tenant;
let other: Tenant;

beforeAll(async () => {
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
}, 120_000);
afterAll(() => api.close());

const absentId = 987_654_321;
// A declared resource that is not mounted fails in endpoints.test.ts.
const names = (Object.keys(allResources) as ResourceName[]).filter((name) =>
  api.app.weft.mounted.has(allResources[name].ops.list.path),
);
/**
 * Statements of each verb of a resource that is one table of enterprises, with names of these in its
 * list. What costs other numbers than its declaration explains has them in query-counts.json.
 */
const plain: Readonly<Record<Verb, number>> = { list: 2, add: 3, edit: 3, remove: 2, combo: 1 };
/** What a declared field adds that names a row of another table: its name in the list, and that it is the caller's. */
const reference: Readonly<Record<Verb, number>> = { list: 2, add: 1, edit: 2, remove: 1, combo: 0 };
/** The same of a field that lists such rows, which are written beside the own one. */
const members: Readonly<Record<Verb, number>> = { list: 1, add: 4, edit: 3, remove: 0, combo: 0 };
/** Statements that follow from the declaration of a resource; what needs others is a rule of its own. */
function declaredCount(resource: AnyResource, verb: Verb): number {
  const fields = Object.keys((resource.draft as z.ZodObject).shape).filter((field) => {
    const kind = referenceKinds[`${resource.name}.${field}`] ?? referenceKinds[field];
    return kind !== undefined && kind !== "enterprise";
  });
  const added = fields.map((field) => (field.endsWith("Ids") ? members : reference)[verb]);
  return added.reduce((sum, n) => sum + n, plain[verb]);
}
const frozen: Readonly<Record<string, Partial<Record<Verb, number>>>> = queryCounts;

const outcome = ({ code, msg, data, count, issues, bug }: Answer) => ({
  code,
  bug,
  msg,
  data,
  count,
  issues,
});
/** Empty text and null are the same nothing, in the two directions of the wire. */
const same = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, value === "" ? null : value]),
  );

describe.each(names)("%s", (name) => {
  const resource: AnyResource = allResources[name];
  const has = (verb: Verb) => resource.verbs.includes(verb);
  const path = (verb: Verb) => resource.ops[verb].path;
  const post = (verb: Verb, fields: object, who: Tenant) => api.post(path(verb), fields, who.token);
  const list = (who: Tenant, query: object = {}) =>
    api.get(path("list"), { ...ownerOf(who), ...query }, who.token);
  const ownerOf = (who: Tenant) => {
    const { owner } = resource;
    return owner === undefined ? {} : { [owner]: wireDraft(name, "valid", who.ids)[owner] };
  };
  const add = async (who: Tenant, replaced: object = {}) =>
    newIdOf(await post("add", wireDraft(name, "valid", who.ids, replaced), who));
  const remove = (who: Tenant, ids: unknown) => post("remove", { ids }, who);
  const rowOf = async (who: Tenant, id: number) => {
    const answer = await list(who, { limit: 1000 });
    expect(answer).toMatchObject({ code: 0 });
    return (answer.data as Record<string, unknown>[]).find((row) => row[resource.id] === id);
  };

  /** What a list shows of a draft: all of it but secrets. */
  const shown = (draft: object) => {
    const isShown = ([key]: [string, unknown]) => key in resource.row.shape;
    const hidden = Object.keys(draft).filter((key) => !(key in resource.row.shape));
    // Neither is stored with the row: a secret, and the own password of who writes it.
    expect(hidden.filter((key) => !/secret$|^oldPsw$/i.test(key))).toEqual([]);
    return same(Object.fromEntries(Object.entries(draft).filter(isShown)));
  };

  test("a row round-trips: added, listed, edited, removed, and all of it audited", async () => {
    const id = await add(home);
    expect(same((await rowOf(home, id)) ?? {})).toMatchObject(
      shown(wireDraft(name, "valid", home.ids)),
    );
    const edited = wireDraft(name, "edited", home.ids);
    expect(await post("edit", { ...edited, [resource.id]: id }, home)).toMatchObject({ code: 0 });
    expect(same((await rowOf(home, id)) ?? {})).toMatchObject(shown(edited));
    expect(await remove(home, id)).toMatchObject({ code: 0, data: null });
    expect(await rowOf(home, id)).toBeUndefined();
    const { rows } = await sql<{ action: string; old: boolean; new: boolean }>`
      select action, old_value is not null as old, new_value is not null as new from audit
      where resource = ${resource.name} and row_id = ${id} order by id`.execute(
      api.database.pools.apiAll.db,
    );
    expect(rows).toEqual([
      { action: resource.ops.add.id, old: false, new: true },
      { action: resource.ops.edit.id, old: true, new: true },
      { action: resource.ops.remove.id, old: true, new: false },
    ]);
  });

  test("a foreign row and an absent one are answered alike, and stay as they are", async () => {
    const id = await add(home);
    const before = await rowOf(home, id);
    const alike = async (attempt: (which: number) => Promise<Answer>) => {
      const foreign = outcome(await attempt(id));
      expect(foreign.code).toBe(404);
      expect(foreign).toEqual(outcome(await attempt(absentId)));
    };
    const draft = wireDraft(name, "edited", other.ids);
    await alike((which) => post("edit", { ...draft, [resource.id]: which }, other));
    await alike((which) => remove(other, which));
    const own = await add(other);
    await alike((which) => remove(other, `${own},${which}`));
    expect(await rowOf(home, id)).toEqual(before);
    expect(await rowOf(other, own)).toBeDefined();
    expect(await rowOf(other, id)).toBeUndefined();
    await remove(home, id);
    await remove(other, own);
  });

  test("a foreign row in a reference field is answered as an absent one", async () => {
    const id = await add(other);
    for (const key of [
      ...(["groupid", "cpeId", "popId", "roleId", "strategyId"] as const),
      ...(["speedId", "vbrNodeId"] as const),
    ]) {
      const pointing = (at: number) => wireDraft(name, "valid", { ...other.ids, [key]: at });
      if (JSON.stringify(pointing(1)) === JSON.stringify(pointing(2))) continue;
      for (const attempt of [
        (at: number) => post("add", pointing(at), other),
        (at: number) => post("edit", { ...pointing(at), [resource.id]: id }, other),
      ]) {
        const foreign = outcome(await attempt(home.ids[key] ?? absentId));
        expect([400, 404]).toContain(foreign.code);
        expect(foreign).toEqual(outcome(await attempt(absentId)));
      }
    }
    await remove(other, id);
  });

  test("a list inside a foreign owner is as empty as inside an absent one", async () => {
    const { owner } = resource;
    if (owner === undefined) return;
    const id = await add(home);
    const foreign = await list(other, { [owner]: ownerOf(home)[owner] });
    expect(outcome(foreign)).toEqual(outcome(await list(other, { [owner]: absentId })));
    expect(foreign.code === 0 ? foreign.count : 0).toBe(0);
    await remove(home, id);
  });

  test.each(samples[name].invalid)(
    "B-5-30: $field = $value breaks $rule, and nothing is written",
    async (one) => {
      const wire = one.value === null ? "" : String(one.value);
      const before = (await list(home)).count;
      const { shape } = resource.draft as z.ZodObject;
      const beside = Object.entries(one.beside ?? {}).map(([field, value]) => [
        field,
        z.encode(shape[field] as z.ZodType, value),
      ]);
      const broken = { ...Object.fromEntries(beside), [one.field]: wire };
      const answer = await post("add", wireDraft(name, "valid", home.ids, broken), home);
      expect(answer).toMatchObject({ status: 200, code: 400 });
      expect(answer.issues).toContainEqual(
        expect.objectContaining({
          path: expect.stringMatching(new RegExp(`^${one.field}`)),
          rule: one.rule,
        }),
      );
      expect((await list(home)).count).toBe(before);
    },
  );

  test("the list pages and sorts, and refuses pages that there are not", async () => {
    const first = await list(home, { limit: 1 });
    expect(first).toMatchObject({ code: 0, count: expect.any(Number) });
    expect((first.data as object[]).length).toBe(Math.min(1, first.count ?? 0));
    const { count } = first;
    expect(await list(home, { page: 1000 })).toMatchObject({ code: 0, data: [], count });
    for (const orderByColumn of resource.sort) {
      for (const isAsc of ["asc", "desc"]) {
        expect(await list(home, { orderByColumn, isAsc })).toMatchObject({ code: 0 });
      }
    }
    for (const bad of [
      { page: 0 },
      { limit: 0 },
      { limit: 1001 },
      { page: "x" },
      { isAsc: "up" },
    ]) {
      expect(await list(home, bad)).toMatchObject({ code: 400 });
    }
    expect(await list(home, { orderByColumn: "id; drop table node" })).toMatchObject({ code: 400 });
  });

  test("a removal needs at least one id, and accepts ids only", async () => {
    for (const [ids, rule] of [
      ["", "atLeastOne"],
      ["1' or '1'='1", "integer"],
      ["-1", "integer"],
    ]) {
      expect(await remove(home, ids)).toMatchObject({ code: 400, issues: [{ path: "ids", rule }] });
    }
  });

  test("each verb costs as many statements as it did", async () => {
    const { measured, measure } = statementsBy(api, home.token);
    const id = await measure("add", () => add(home));
    await measure("list", () => list(home, { limit: 40 }));
    if (has("combo")) await measure("combo", () => api.get(path("combo"), {}, home.token));
    const draft = { ...wireDraft(name, "edited", home.ids), [resource.id]: id };
    await measure("edit", () => post("edit", draft, home));
    await measure("remove", () => remove(home, id));
    const known = frozen[name];
    if (known) return expect(measured).toEqual(known);
    const expensive = Object.entries(measured).filter(
      ([verb, n]) => n > declaredCount(resource, verb as Verb),
    );
    const advice = `${name} costs more statements than its declaration explains: if it has to, freeze ${JSON.stringify(measured)} in query-counts.json`;
    expect(Object.fromEntries(expensive), advice).toEqual({});
  });
});

test("only resources that there are have a number of statements", () => {
  expect(Object.keys(frozen).filter((name) => !(name in allResources))).toEqual([]);
});
