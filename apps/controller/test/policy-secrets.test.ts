/** Secrets of policy objects are nowhere in clear: rows, versions, audit, logs, statistics, backups. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { type PolicyFamily, policyScopes } from "@weft/contract/kernel/policy-family.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBackup } from "#backup/write-backup.ts";
import { withClient } from "#db/embedded/login.ts";
import { resealPolicySecrets, secretColumns, secretOf } from "#domains/policies/policy/secrets.ts";
import { createVault, type Vault } from "#kernel/vault.ts";
import { type TestApi, testApi } from "./api.ts";
import { listPath, makeTemplate, type OwnerInput, policyDraft } from "./policy-world.ts";
import { makeTenant, newIdOf, type Tenant } from "./tenants.ts";

let api: TestApi;
let admin: string;
let home: Tenant;
let rowOwners: Readonly<Record<(typeof policyScopes)[number], readonly OwnerInput[]>>;
let templateId: number;
let folder: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  templateId = await makeTemplate(api, home.token);
  const { cpeId, popId } = home.ids;
  rowOwners = { template: [{ templateId }], manage: [{ cpeId }, { popId }] };
  folder = await mkdtemp(join(tmpdir(), "weft-secrets-"));
}, 120_000);
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const marker = `m4rk3r-${randomBytes(6).toString("hex")}`;
const families = policyFamilies.filter(({ spec }) => (spec.secret ?? []).length > 0);
const owner = () => api.database.pools.owner.db;

const withSecret = (family: PolicyFamily, value: string) =>
  Object.fromEntries((family.spec.secret ?? []).map((field) => [field, value]));
const factOf = (field: string) => `has${field.charAt(0).toUpperCase()}${field.slice(1)}`;

/** A text anywhere in the database, as text or as bytes: the tables that have it. */
const placesOf = (text: string): Promise<string[]> =>
  // The owner of the database: no row-level security holds for that login.
  withClient(api.database.url, async (client) => {
    const hex = Buffer.from(text).toString("hex");
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_|information_schema'`);
    const found: string[] = [];
    for (const name of [...tables.map((table) => table.name), "pg_stats"]) {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from ${name} t
         where position($1 in to_jsonb(t)::text) > 0 or position($2 in to_jsonb(t)::text) > 0`,
        [text, hex],
      );
      if (rows[0]?.n) found.push(name);
    }
    return found;
  });

test("a secret written through every field of every family and scope is nowhere in clear", async () => {
  const rows: {
    family: PolicyFamily;
    scope: "template" | "manage";
    rowOwner: OwnerInput;
    id: number;
  }[] = [];
  for (const family of families) {
    for (const scope of policyScopes) {
      for (const rowOwner of rowOwners[scope]) {
        const draft = policyDraft(family, scope, rowOwner, {}, withSecret(family, marker));
        const { ops } = family[scope].resource;
        const id = newIdOf(await api.post(ops.add.path, draft, home.token));
        const edited = { ...draft, ...withSecret(family, `${marker}2`), id };
        expect(await api.post(ops.edit.path, edited, home.token)).toMatchObject({ code: 0 });
        rows.push({ family, scope, rowOwner, id });
      }
    }
  }
  expect(rows.length).toBe(2 * 3);
  const path = "/customer/routerTemplate";
  const relation = { templateId, cpeIds: String(home.ids.cpeId) };
  expect(await api.post("/customer/routerTemplateRel/add", relation, admin)).toMatchObject({
    code: 0,
  });
  expect(await api.get(`${path}/issue`, { templateId }, admin)).toMatchObject({ code: 0 });
  await sql`analyze`.execute(owner());
  for (const { family, scope, rowOwner, id } of rows) {
    const draft = policyDraft(family, scope, rowOwner, {});
    const { data } = await api.get(
      listPath(family[scope], draft),
      { ...rowOwner, limit: 100 },
      home.token,
    );
    const row = (data as Record<string, unknown>[]).find((one) => one.id === id);
    for (const field of family.spec.secret ?? []) {
      expect(row).not.toHaveProperty(field);
      expect(row).toMatchObject({ [factOf(field)]: 1 });
    }
  }
  expect(await placesOf(marker)).toEqual([]);
  // The scan finds what is there.
  expect(await placesOf("home")).toContain("weft.enterprise");
  expect(JSON.stringify(api.logged)).not.toContain(marker);
  const log = await api.get("/customer/operaRecord/list", { page: 1, limit: 200 }, admin);
  expect(JSON.stringify(log.data)).toContain("routerBgp");
  expect(JSON.stringify(log.data)).not.toContain(marker);

  const file = join(folder, "weft.backup");
  await writeFile(join(folder, "secrets.key"), randomBytes(32).toString("base64"));
  await writeBackup({ url: api.database.url, dataDir: folder, file, passphrase: "correct horse" });
  const plain = gunzipSync(await readFile(file)).toString("latin1");
  expect(plain).toContain("router_bgp");
  expect(plain).not.toContain(marker);
});

const secretsNow = async () => {
  const parts = secretColumns.map(
    ({ table, column }) => sql<{
      stored: string;
      template_id: number | null;
      node_id: number | null;
    }>`
      select ${sql.ref(column)} as stored, template_id, node_id from ${sql.table(table)} order by id`,
  );
  return Promise.all(
    parts.map(async (part, at) => {
      const { table = "", column = "" } = secretColumns[at] ?? {};
      return (await part.execute(owner())).rows.map((row) => ({ table, column, ...row }));
    }),
  ).then((found) => found.flat());
};

test("an edit that leaves it empty keeps it; another one replaces it; the row shows whether it is set", async () => {
  const bgp = families.find(({ name }) => name === "routerBgp") as PolicyFamily;
  const { ops } = bgp.template.resource;
  const rowOwner = { templateId: await makeTemplate(api, home.token) };
  const draft = policyDraft(bgp, "template", rowOwner, {}, { password: "" });
  const id = newIdOf(await api.post(ops.add.path, draft, home.token));
  const reported = async () =>
    ((await api.get(ops.list.path, rowOwner, home.token)).data as object[])[0];
  const held = async () => {
    const row = (await secretsNow()).find(({ template_id }) => template_id === rowOwner.templateId);
    return row && secretOf(api.app.weft.vault, row.table, row.column, row).open(row.stored);
  };
  expect(await reported()).toMatchObject({ hasPassword: 0 });
  const edit = (password: string) =>
    api.post(ops.edit.path, { ...draft, password, id }, home.token);
  await edit("first-one");
  expect(await reported()).toMatchObject({ hasPassword: 1 });
  expect(await held()).toBe("first-one");
  await edit("");
  expect(await held()).toBe("first-one");
  await edit("second-one");
  expect(await held()).toBe("second-one");
});

test("no role can write one in clear, and another key opens what was under the one before", async () => {
  const { vault } = api.app.weft;
  const before = await secretsNow();
  const clear = before.map((row) => secretOf(vault, row.table, row.column, row).open(row.stored));
  expect(clear.filter((one) => one?.startsWith(marker)).length).toBe(2 * 3);
  for (const { table, column } of secretColumns) {
    const written = sql`update ${sql.table(table)} set ${sql.ref(column)} = 'plain'`;
    await expect(written.execute(owner())).rejects.toThrow(/_sealed/);
  }
  const next = createVault(randomBytes(32));
  const reseal = (from: Vault, to: Vault) =>
    owner()
      .transaction()
      .execute((trx) => resealPolicySecrets(trx, from, to));
  // The rows, and those of the version that was published.
  expect(await reseal(vault, next)).toEqual({ moved: before.length + 2, unreadable: 0 });
  const after = await secretsNow();
  const open = (row: (typeof after)[number]) =>
    secretOf(next, row.table, row.column, row).open(row.stored);
  expect(after.map(open)).toEqual(clear);
  const frozen = await sql<{ content: Record<string, Record<string, string>[]> }>`
    select content from router_template_version`.execute(owner());
  for (const { table, column } of secretColumns) {
    const stored = frozen.rows[0]?.content[table]?.[0]?.[column] ?? "";
    const opened = secretOf(next, table, column, { template_id: templateId, node_id: null });
    expect(opened.open(stored)).toContain(marker);
    const strange = secretOf(next, table, column, { template_id: null, node_id: templateId });
    expect(strange.open(stored)).toBeNull();
  }
  // A key that opens none of them changes none.
  const strange = createVault(randomBytes(32));
  expect(await reseal(strange, vault)).toEqual({ moved: 0, unreadable: before.length + 2 });
  expect(await secretsNow()).toEqual(after);
});
