/**
 * Two people who edit one row: what the second one saw is a version, and an edit that names a
 * version which the row no longer has is refused with who changed what. For every resource that
 * can be edited.
 */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { versionFields } from "@weft/contract/kernel/row-version.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { formData, testApi } from "./api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

const api = await testApi();
let home: Tenant;
let other: Tenant;
/** Another user of the same enterprise. */
let colleague: Tenant;

beforeAll(async () => {
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  const token = await api.userToken({ enterpriseId: home.ids.groupid, dataScope: 3 });
  colleague = { ...home, token };
}, 120_000);
afterAll(() => api.close());

const names = (Object.keys(allResources) as ResourceName[]).filter((name) =>
  (allResources[name] as AnyResource).verbs.includes("edit"),
);
type Row = Readonly<Record<string, unknown>>;
const wireText = (value: unknown): string => String(value ?? "");

test("every resource with an edit is here", () => {
  expect(names.length).toBeGreaterThan(25);
});

describe.each(names)("%s", (name) => {
  const resource: AnyResource = allResources[name];
  const { ops } = resource;
  const made: number[] = [];
  afterEach(async () => {
    for (const id of made.splice(0)) await remove(id);
  });
  const call = (path: string, fields: object, who: Tenant, ifMatch?: string, language = "en") => {
    const { payload, headers } = formData(fields);
    const more = {
      "accept-language": language,
      authorization: who.token,
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
    };
    return api.send({ method: "POST", url: path, payload, headers: { ...headers, ...more } });
  };
  const add = async (who: Tenant = home) => {
    const answer = await call(ops.add.path, wireDraft(name, "valid", who.ids), who);
    const id = newIdOf(answer);
    made.push(id);
    return { id, answer };
  };
  const owner = (who: Tenant): object =>
    resource.owner === undefined
      ? {}
      : { [resource.owner]: wireDraft(name, "valid", who.ids)[resource.owner] };
  const read = async (id: number, who: Tenant = home): Promise<Row> => {
    const answer = await api.get(ops.list.path, { ...owner(who), limit: 1000 }, who.token);
    const row = (answer.data as Row[]).find((one) => one[resource.id] === id);
    if (!row) throw new Error(`${name} ${id} is not listed`);
    return row;
  };
  const remove = (id: number, ifMatch?: string) =>
    call(ops.remove.path, { ids: id }, home, ifMatch);
  /** The draft that a form makes of a row, with one field of the second sample. */
  const draftOf = (row: Row, replaced: object = {}): Record<string, unknown> => ({
    ...wireDraft(name, "valid", home.ids),
    ...Object.fromEntries(
      Object.keys(resource.draft.shape)
        .filter((field) => field in row)
        .map((field) => [field, wireText(row[field])]),
    ),
    ...replaced,
    [resource.id]: row[resource.id],
  });
  const edited = () => wireDraft(name, "edited", home.ids);
  /** Fields that the two samples differ in and a row shows, which is what two people can edit. */
  const differing = (row: Row): string[] =>
    versionFields(resource)
      .map(([field]) => field)
      .filter((field) => wireText(edited()[field]) !== wireText(row[field]));

  test("its version is the same in the list and in the answers of an add and an edit", async () => {
    const { id, answer } = await add();
    const row = await read(id);
    expect(row.rowVersion).toMatch(/^\d{16}$/);
    expect(answer.headers.etag).toBe(`"${row.rowVersion}"`);
    const fields = { ...edited(), [resource.id]: id, rowVersion: row.rowVersion };
    const changed = await call(ops.edit.path, fields, home);
    expect(changed).toMatchObject({ code: 0 });
    const now = await read(id, colleague);
    expect(now.rowVersion).not.toBe(row.rowVersion);
    expect(changed.headers.etag).toBe(`"${now.rowVersion}"`);
  });

  test("each field that a form edits makes a new version, and saving it as it is makes none", async () => {
    const { id } = await add();
    let row = await read(id);
    const save = (fields: object) => call(ops.edit.path, fields, home);
    expect(await save(draftOf(row))).toMatchObject({ code: 0 });
    expect((await read(id)).rowVersion).toBe(row.rowVersion);
    let changes = 0;
    for (const field of differing(row)) {
      const saved = await save(draftOf(row, { [field]: edited()[field] }));
      // Some fields are right only together with another one.
      if (saved.code !== 0) continue;
      const now = await read(id);
      if (wireText(now[field]) === wireText(row[field])) continue;
      expect(Number(now.rowVersion), field).toBeGreaterThan(Number(row.rowVersion));
      changes += 1;
      row = now;
    }
    const whole = { ...edited(), [resource.id]: id };
    expect(await save(whole)).toMatchObject({ code: 0 });
    const { rowVersion } = await read(id);
    expect(changes + Number(rowVersion !== row.rowVersion)).toBeGreaterThan(0);
  });

  test("the second of two concurrent edits is refused with the user and the fields of the first, and a merged edit keeps both", async () => {
    const { id } = await add();
    const row = await read(id);
    const [first] = differing(row);
    if (first === undefined) throw new Error("the samples differ in nothing that a row shows");
    const theirs = edited();
    expect(await call(ops.edit.path, { ...theirs, [resource.id]: id }, colleague)).toMatchObject({
      code: 0,
    });
    const mine = draftOf(row, { rowVersion: row.rowVersion });
    const stale = await call(ops.edit.path, mine, home);
    const now = await read(id);
    expect(stale).toMatchObject({ code: 412, status: 200 });
    const data = stale.data as {
      rowVersion: string;
      current: Row;
      changes: { loginName: string; at: string; fields: { field: string; name: string }[] }[];
    };
    expect(data.rowVersion).toBe(now.rowVersion);
    for (const [field] of versionFields(resource)) {
      expect([field, data.current[field]]).toEqual([field, now[field]]);
    }
    // The colleague's login name, and exactly the fields that were changed.
    expect(data.changes).toHaveLength(1);
    expect(data.changes[0]?.loginName).toMatch(/^user\d+$/);
    const reported = data.changes[0]?.fields.map(({ field }) => field).sort();
    expect(reported).toEqual(differing(row).sort());
    expect(stale.msg).toContain(data.changes[0]?.loginName);
    expect(stale.msg).toContain(data.changes[0]?.fields[0]?.name);
    expect((await read(id)).rowVersion).toBe(now.rowVersion);
    // What is merged: theirs, with one field of mine.
    const merged = { ...draftOf(now, { [first]: mine[first] }), rowVersion: data.rowVersion };
    const saved = await call(ops.edit.path, merged, home);
    if (saved.code === 0) {
      const after = await read(id);
      expect(wireText(after[first])).toBe(wireText(row[first]));
      for (const field of differing(row).filter((one) => one !== first)) {
        expect([field, wireText(after[field])]).toEqual([field, wireText(now[field])]);
      }
    } else {
      // Where fields depend on each other one alone cannot be reset: then the rules refuse it.
      expect(saved.code).toBe(400);
      expect((await read(id)).rowVersion).toBe(now.rowVersion);
    }
  });

  test("without a version the last write wins; If-Match is honoured by edits and removals", async () => {
    const { id } = await add();
    const row = await read(id);
    const fields = { ...edited(), [resource.id]: id };
    expect(await call(ops.edit.path, fields, colleague)).toMatchObject({ code: 0 });
    const tag = `"${row.rowVersion}"`;
    for (const stale of [tag, `W/${tag}`, '"nothing"', `"a", ${tag}`, '""']) {
      expect(await call(ops.edit.path, fields, home, stale)).toMatchObject({ code: 412 });
      expect(await remove(id, stale)).toMatchObject({ code: 412, status: 200 });
    }
    for (const broken of ["x", '"a', `${tag} "b"`, ","]) {
      expect(await call(ops.edit.path, fields, home, broken)).toMatchObject({
        code: 400,
        issues: [{ path: "If-Match", rule: "notAllowed" }],
      });
    }
    const long = { ...fields, rowVersion: "x".repeat(65) };
    expect(await call(ops.edit.path, long, home)).toMatchObject({ code: 400 });
    expect(await call(ops.edit.path, { ...fields, rowVersion: "" }, home)).toMatchObject({
      code: 0,
    });
    expect(await call(ops.edit.path, fields, home, "*")).toMatchObject({ code: 0 });
    const now = `"${(await read(id)).rowVersion}"`;
    expect(await call(ops.edit.path, fields, home, `"a", ${now}`)).toMatchObject({ code: 0 });
    expect(await remove(id, now)).toMatchObject({ code: 0 });
  });

  test("a caller of another tenant who names a version gets no information about the row", async () => {
    const { id } = await add();
    const draft = wireDraft(name, "edited", other.ids);
    const ask = async (which: number) => {
      const fields = { ...draft, [resource.id]: which, rowVersion: "stale" };
      const { code, msg, data } = await call(ops.edit.path, fields, other);
      return { code, msg, data };
    };
    const foreign = await ask(id);
    expect(foreign).toMatchObject({ code: 404, data: null });
    expect(foreign).toEqual(await ask(987_654_321));
  });
});

test("a member that is removed, by whomever, makes a new version of what it was in", async () => {
  const cpe = newIdOf(
    await api.post(
      allResources.cpe.ops.add.path,
      { ...wireDraft("cpe", "valid", home.ids), alias: "leaving", sn: "leaving" },
      home.token,
    ),
  );
  const draft = { ...wireDraft("cug", "valid", home.ids), name: "left", cpeIds: cpe };
  const id = newIdOf(await api.post(allResources.cug.ops.add.path, draft, home.token));
  const versionNow = async () => {
    const { data } = await api.get(allResources.cug.ops.list.path, { limit: 1000 }, home.token);
    return (data as Row[]).find((one) => one.id === id)?.rowVersion;
  };
  const before = await versionNow();
  const removed = await api.post(allResources.cpe.ops.remove.path, { ids: cpe }, home.token);
  expect(removed).toMatchObject({ code: 0 });
  const fields = { ...draft, id, cpeIds: "", rowVersion: before };
  expect(await api.post(allResources.cug.ops.edit.path, fields, home.token)).toMatchObject({
    code: 412,
    data: { rowVersion: await versionNow() },
  });
});

test("the refusal is in the reader's language, and no secret is in it", async () => {
  const draft = wireDraft("staticroute", "valid", home.ids);
  const id = newIdOf(await api.post(allResources.staticroute.ops.add.path, draft, home.token));
  const fields = { ...draft, metric: 77, nID: id };
  const { path } = allResources.staticroute.ops.edit;
  expect(await api.post(path, fields, colleague.token)).toMatchObject({ code: 0 });
  const stale = (language: string) =>
    api.send({
      method: "POST",
      url: path,
      ...formData({ ...fields, rowVersion: "stale" }),
      headers: {
        ...formData(fields).headers,
        authorization: home.token,
        "accept-language": language,
      },
    });
  expect((await stale("en")).msg).toMatch(/^Changed in the meantime by user\d+: Metric \d+ → 77$/);
  expect((await stale("zh")).msg).toMatch(/^user\d+ 已修改：度量值 \d+ → 77$/);
});

test("two who save at the same moment: one of them is refused", async () => {
  const draft = wireDraft("cug", "valid", home.ids);
  const id = newIdOf(await api.post(allResources.cug.ops.add.path, draft, home.token));
  const listed = await api.get(allResources.cug.ops.list.path, { limit: 1000 }, home.token);
  const row = (listed.data as Row[]).find((one) => one.id === id);
  for (let turn = 0, version = row?.rowVersion; turn < 5; turn += 1) {
    const save = (who: Tenant, remark: string) =>
      api.post(
        allResources.cug.ops.edit.path,
        { ...draft, id, remark: `${remark}${turn}`, rowVersion: version },
        who.token,
      );
    const answers = await Promise.all([save(home, "mine"), save(colleague, "theirs")]);
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 412]);
    const kept = answers.find(({ code }) => code === 0);
    version = String(kept?.headers.etag).slice(1, -1);
  }
});
