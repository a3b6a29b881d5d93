// Table types are written by hand. Here the migrated database writes down what they have to be, as
// types, and the compiler holds the two against each other: columns, nullability, kind of value, and
// what an insert may leave out.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { policyTables } from "#domains/policies/schema.ts";

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** A default, an identity or a generated value: an insert may leave it out. */
  readonly filled: boolean;
}

const root = path.resolve(import.meta.dirname, "..");
let database: TestDatabase<Database>;
let columns: Column[] = [];

beforeAll(async () => {
  database = await testDatabase<Database>();
  ({ rows: columns } = await sql<Column>`
    select c.relname as table, a.attname as name, t.typname as type,
           not a.attnotnull as nullable,
           (a.atthasdef or a.attidentity <> '') as filled
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'weft'
    join pg_type t on t.oid = a.atttypid
    where a.attnum > 0 and not a.attisdropped
    order by 1, a.attnum`.execute(database.pools.owner.db));
});

afterAll(() => database.drop());

/** What node-postgres hands out for a type (value-parsers.ts); unknown where a column narrows it. */
const valueTypes: Readonly<Record<string, string>> = {
  bool: "boolean",
  bytea: "Buffer",
  int2: "number",
  int4: "number",
  int8: "number",
  float4: "number",
  float8: "number",
  text: "string",
  timestamptz: "Date",
};

const preamble = `import type { Insertable, Selectable } from "kysely";
import type { Database } from "#db/schema.ts";
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Keys<T> = keyof T & string;
type Open<T, K extends keyof T> = [unknown] extends [T[K]] ? true : false;
type Nullable<T, K extends keyof T, Claim> = Open<T, K> extends true ? Claim : null extends T[K] ? true : false;
type Optional<T, K> = K extends keyof T ? (undefined extends T[K] ? true : false) : true;
type Is<T, K extends keyof T, V> = Open<T, K> extends true ? true : NonNullable<T[K]> extends V ? true : false;
export const all: true[] = [];
const says = <T extends true>(claim: T) => all.push(claim);
`;

function proofOf(table: string, own: readonly Column[]): string {
  const row = `Selectable<Database["${table}"]>`;
  const added = `Insertable<Database["${table}"]>`;
  const names = own.map(({ name }) => `"${name}"`).join(" | ");
  const lines = own.flatMap(({ name, type, nullable, filled }) => [
    `says<Same<Nullable<${row}, "${name}", ${nullable}>, ${nullable}>>(true); // ${table}.${name} nullable`,
    `says<Is<${row}, "${name}", ${valueTypes[type] ?? "unknown"}>>(true); // ${table}.${name} ${type}`,
    ...(filled || nullable
      ? []
      : [`says<Same<Optional<${added}, "${name}">, false>>(true); // ${table}.${name} required`]),
  ]);
  const keys = `says<Same<Keys<${row}>, ${names}>>(true); // ${table} columns`;
  return [keys, ...lines].join("\n");
}

/** Compiles a text beside the sources; what the compiler says of each line that it refuses. */
async function refusedLines(text: string): Promise<string[]> {
  mkdirSync(path.join(root, "build"), { recursive: true });
  const folder = mkdtempSync(path.join(root, "build/schema-types-"));
  try {
    writeFileSync(path.join(folder, "proof.ts"), text);
    const config = { extends: "../../tsconfig.json", include: ["proof.ts"] };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = path.resolve(root, "../../node_modules/.bin/tsc");
    const run = promisify(execFile)(tsc, ["--project", folder], { cwd: root });
    const output = await run.then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
    const lines = text.split("\n");
    return [...output.matchAll(/proof\.ts\((\d+),/g)].map(
      ([, line]) => lines[Number(line) - 1]?.replace(/.*\/\/ /, "") ?? output,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const families: ReadonlySet<string> = new Set(Object.values(policyTables));
// Tables of policy families share one type; the columns of a family follow from its fields, which
// the battery of all families writes and reads (policy.test.ts).
const ofAllFamilies =
  /^(id|enterprise_id|created_by|created_at|updated_at|template_id|node_id|owner|version|row_version)$/;

const grouped = () =>
  Map.groupBy(
    columns.filter(({ table, name }) => !families.has(table) || ofAllFamilies.test(name)),
    ({ table }) => table,
  );

/** Of the schema's tables those that a store reads or writes by type; others only SQL names. */
async function typedTables(): Promise<string[]> {
  const all = [...grouped().keys()];
  const probe = `${preamble}${all.map((table) => `says<"${table}" extends keyof Database ? true : false>(true); // ${table}`).join("\n")}\n`;
  const untyped = new Set(await refusedLines(probe));
  return all.filter((table) => !untyped.has(table));
}

test("each table type is what the migrations made", { timeout: 300_000 }, async () => {
  const tables = await typedTables();
  expect(tables.length).toBeGreaterThan(40);
  const proofs = tables.map((table) => proofOf(table, grouped().get(table) ?? []));
  const named = `says<Same<Keys<Database>, ${tables.map((table) => `"${table}"`).join(" | ")}>>(true); // tables`;
  expect(await refusedLines([preamble, named, ...proofs].join("\n"))).toEqual([]);
});

test("a wrong type is refused", { timeout: 300_000 }, async () => {
  const wrong: Column[] = [
    { table: "role", name: "id", type: "text", nullable: true, filled: true },
    { table: "role", name: "name", type: "text", nullable: false, filled: false },
  ];
  const refused = await refusedLines([preamble, proofOf("role", wrong)].join("\n"));
  expect(refused).toEqual(["role columns", "role.id nullable", "role.id text"]);
});
