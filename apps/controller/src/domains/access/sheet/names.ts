/** Names of the rows that cells of a file name, and the rows that names stand for. */
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import type { ReferenceKind } from "@weft/contract/sheet-fields.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { columnOf, owners, tableOf } from "#domains/policies/policy/public.ts";
import type { Context } from "#kernel/api.ts";
import { isOwnedBy, ownerIn } from "#kernel/row-owner.ts";
import type { CellNames } from "#transfer/sheet/cell-text.ts";
import type { Loose } from "./subject.ts";

interface Source {
  readonly table: string;
  readonly name: string;
  readonly where?: RawBuilder<SqlBool>;
}

const tables: Readonly<Record<Exclude<ReferenceKind, `family:${string}`>, string>> = {
  area: "cpe_area",
  alarmPolicy: "alarm_strategy",
  cpe: "node",
  cloudNode: "vbr_node",
  enterprise: "enterprise",
  node: "node",
  pop: "node",
  popStrategy: "pop_strategy",
  profile: "xwan_speed",
  receiver: "message_receiver",
  role: "role",
  template: "router_template",
};

/** Where the rows of a kind are; those of a family are the same owner's. */
function sourceOf(kind: ReferenceKind, inside: Loose): Source {
  if (kind in tables) {
    const table = tables[kind as keyof typeof tables];
    const isPart = kind === "cpe" || kind === "pop";
    return { table, name: "name", ...(isPart && { where: sql<SqlBool>`kind = ${kind}` }) };
  }
  const family = kind.slice("family:".length);
  const fields = "templateId" in inside ? owners.template : owners.manage;
  return {
    table: tableOf(family),
    name: columnOf(policyFamily(family).spec.label),
    where: isOwnedBy(ownerIn(fields, inside)),
  };
}

interface Named {
  readonly id: number;
  readonly name: string;
  readonly enterprise_id: number;
}

/** What is asked for, by kind. */
export class Wanted {
  readonly ids = new Map<ReferenceKind, Set<number>>();
  readonly names = new Map<ReferenceKind, Set<string>>();

  id(kind: ReferenceKind, id: unknown): void {
    if (typeof id === "number") this.ids.set(kind, (this.ids.get(kind) ?? new Set()).add(id));
  }

  /** A name as a cell has it, perhaps with the id behind it. */
  name(kind: ReferenceKind, text: string): void {
    const { name, id } = withId(text);
    this.id(kind, id);
    const names = this.names.get(kind) ?? new Set();
    this.names.set(kind, names.add(text).add(name));
  }

  get kinds(): Set<ReferenceKind> {
    return new Set([...this.ids.keys(), ...this.names.keys()]);
  }
}

const numbered = /^(.*?)\s*#(\d{1,15})$/;
const withId = (text: string): { name: string; id: number | null } => {
  const [, name, id] = numbered.exec(text) ?? [];
  return id === undefined ? { name: text, id: null } : { name: name ?? "", id: Number(id) };
};

interface Indexed {
  readonly byId: Map<number, Named>;
  readonly byName: Map<string, Named[]>;
}

/** Rows that the caller may read, by what files call them. */
export class NameBook {
  readonly #kinds = new Map<ReferenceKind, Indexed>();

  static async read(ctx: Context, wanted: Wanted, inside: Loose): Promise<NameBook> {
    const book = new NameBook();
    await book.add(ctx, wanted, inside);
    return book;
  }

  async add(ctx: Context, wanted: Wanted, inside: Loose): Promise<void> {
    for (const kind of wanted.kinds) {
      const [ids, names] = [wanted.ids.get(kind) ?? [], wanted.names.get(kind) ?? []];
      const { byId, byName } = this.#kinds.get(kind) ?? { byId: new Map(), byName: new Map() };
      this.#kinds.set(kind, { byId, byName });
      for (const row of await readNamed(ctx, sourceOf(kind, inside), [...ids], [...names])) {
        if (byId.has(row.id)) continue;
        byId.set(row.id, row);
        byName.set(row.name, [...(byName.get(row.name) ?? []), row]);
      }
    }
  }

  /** Row-level security decides: a row of another tenant is as absent as one that is not there. */
  get(kind: ReferenceKind, id: unknown): Named | undefined {
    return this.#kinds.get(kind)?.byId.get(id as number);
  }

  /** Names as cells have them; of several rows with one name those of this enterprise are meant. */
  within(enterpriseId: number | null): CellNames {
    return {
      textOf: (kind, id) => this.#textOf(kind, id),
      find: (kind, text) => this.#find(kind, text, enterpriseId),
    };
  }

  /** All rows of a kind that were read, as cells have them. */
  texts(kind: ReferenceKind): string[] {
    return [...(this.#kinds.get(kind)?.byId.keys() ?? [])].map((id) => this.#textOf(kind, id));
  }

  #called(kind: ReferenceKind, name: string): readonly Named[] {
    return this.#kinds.get(kind)?.byName.get(name) ?? [];
  }

  #textOf(kind: ReferenceKind, id: number): string {
    const row = this.get(kind, id);
    if (!row) return `#${id}`;
    return this.#called(kind, row.name).length > 1 ? `${row.name} #${id}` : row.name;
  }

  #find(kind: ReferenceKind, text: string, enterpriseId: number | null) {
    const called = this.#called(kind, text);
    const inEnterprise = called.filter((row) => row.enterprise_id === enterpriseId);
    const [only, another] = inEnterprise.length === 1 ? inEnterprise : called;
    if (only && another) return { among: called.map(({ name, id }) => `${name} #${id}`) };
    if (only) return { id: only.id };
    const { name, id } = withId(text);
    const row = id === null ? undefined : this.get(kind, id);
    return row && (name === "" || name === row.name) ? { id: row.id } : { among: [] };
  }
}

/** Rows with these ids or names, and all others that are called like one of them. */
async function readNamed(
  ctx: Context,
  { table, name, where }: Source,
  ids: readonly number[],
  names: readonly string[],
): Promise<readonly Named[]> {
  const [from, column] = [sql.table(table), sql.ref(name)];
  const part = where ?? sql<SqlBool>`true`;
  const enterprise = table === "enterprise" ? sql.ref("id") : sql.ref("enterprise_id");
  const { rows } = await sql<Named>`
    select id, ${column}::text as name, ${enterprise} as enterprise_id from ${from}
    where ${part} and (${column}::text = any(${[...names]}::text[]) or ${column}::text in
      (select ${column}::text from ${from} where ${part} and id = any(${[...ids]}::bigint[])))
    order by id`.execute(ctx.db);
  return rows;
}

/** Rows of a kind to choose from, the first of them by name. */
export async function readChoices(
  ctx: Context,
  kind: ReferenceKind,
  inside: Loose,
  limit: number,
): Promise<NameBook> {
  const { table, name, where } = sourceOf(kind, inside);
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where ${where ?? sql<SqlBool>`true`}
    order by ${sql.ref(name)}, id limit ${limit}`.execute(ctx.db);
  const wanted = new Wanted();
  for (const { id } of rows) wanted.id(kind, id);
  return NameBook.read(ctx, wanted, inside);
}
