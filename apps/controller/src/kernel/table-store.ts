import type { AnyResource, DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { AnyTable } from "#db/any-table.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "./api.ts";
import { asRefusal, type Constraints } from "./database-errors.ts";
import { type Holder, holderIn, isHeldBy, requireHolder, requireNode } from "./holder.ts";
import { type ChoiceTable, readChoice, writeChoice } from "./node-choice.ts";
import { refuse, refuseField } from "./refuse.ts";
import type { ListQuery, Store, WrittenRow } from "./resource-store.ts";
import { inCallerScope, requireEnterprise } from "./scope.ts";

type Table = keyof Database & string;
type Column<T extends Table> = keyof Database[T] & string;
type Field<R extends AnyResource> = keyof RowOf<R> & string;
type Touched = NonNullable<WrittenRow["touches"]>;

/** How a resource lies in a table with `id`, `enterprise_id`, `created_by` and `created_at`. */
export interface TableSpec<R extends AnyResource, T extends Table> {
  readonly table: T;
  /**
   * Column of every field that is stored: all of the draft's, and plain ones of the row. Null: the
   * field lies in another table, and who wraps the store keeps it there.
   */
  readonly columns: Readonly<
    Record<Exclude<keyof DraftOf<R> & string, "cpeIds">, Column<T> | null> &
      Partial<Record<Field<R>, Column<T> | null>>
  >;
  /** Table of the CPEs that the field `cpeIds` names (migrations: choice_table). */
  readonly chosen?: ChoiceTable;
  /**
   * Whose row it is. `enterprise`: the draft field that names the enterprise; null there is the
   * caller's own, and in an edit the one that it has. `node`: the draft field that names the owning
   * node, whose enterprise the row gets; a list needs that field, and writes touch the node. `row`:
   * the draft field that names a row of `of`, whose enterprise it gets. `heldBy`: one of several
   * fields names the holder; list, combo and removal need it too, and rows of another holder are
   * not there.
   */
  readonly owner:
    | { readonly enterprise: keyof DraftOf<R> & string }
    | { readonly node: keyof DraftOf<R> & string; readonly kind?: "cpe" | "pop" }
    | { readonly row: keyof DraftOf<R> & string; readonly of: OwnerTable }
    | { readonly heldBy: readonly Holder[] };
  /** Query fields of the list: compared for equality, or searched anywhere in the text. */
  readonly filters?: Readonly<Partial<Record<keyof ListQuery<R> & string, "equal" | "contains">>>;
  /** A condition of the list that no plain comparison says; null: none. */
  readonly matches?: (query: ListQuery<R>) => RawBuilder<unknown> | null;
  /** Constraint of the table -> field that breaks it. */
  readonly constraints?: Constraints;
  /** Columns that every row of the resource has alike, where resources share the table. */
  readonly part?: Readonly<Partial<Record<Column<T>, string>>>;
  /** Columns that a removal or edit by others is told of; a second read for fields of other tables. */
  readonly complete?: (
    ctx: Context,
    rows: readonly Selectable<Database[T]>[],
  ) => Promise<readonly Partial<RowOf<R>>[]>;
  /** Field that a combo shows; the resource must declare the verb. */
  readonly comboField?: Field<R>;
  /** True: rows that other enterprises share are listed as well (row-level security decides). */
  readonly shared?: boolean;
  /** Nodes and spaces that a row touches, where the owner does not say it. */
  readonly touches?: (row: Selectable<Database[T]>) => Touched;
}

/** Tables whose rows own rows of another table. */
type OwnerTable = "pop_strategy" | "alarm_strategy" | "xwan_speed" | "vbr_node";
type Loose = Record<string, unknown>;

/** The store of a resource that is one table: list, add, edit, remove and combo. */
export function tableStore<R extends AnyResource, T extends Table>(
  resource: R,
  spec: TableSpec<R, T>,
): Store<R> {
  const store = new TableStore(resource, spec as unknown as LooseSpec);
  return {
    list: (ctx, query) => store.list(ctx, query) as ReturnType<Store<R>["list"]>,
    add: (ctx, draft) => store.add(ctx, draft as Loose),
    edit: (ctx, id, draft) => store.edit(ctx, id, draft as Loose),
    remove: (ctx, ids, inside) => store.remove(ctx, ids, inside),
    combo: (ctx, inside) => store.combo(ctx, inside),
  };
}

interface LooseSpec {
  readonly table: string;
  readonly columns: Readonly<Record<string, string | null>>;
  readonly owner:
    | { readonly enterprise: string }
    | { readonly node: string; readonly kind?: string }
    | { readonly row: string; readonly of: OwnerTable }
    | { readonly heldBy: readonly Holder[] };
  readonly filters?: Readonly<Record<string, "equal" | "contains">>;
  readonly constraints?: Constraints;
  readonly complete?: (ctx: Context, rows: readonly Loose[]) => Promise<readonly Loose[]>;
  readonly comboField?: string;
  readonly shared?: boolean;
  readonly touches?: (row: Loose) => Touched;
  readonly chosen?: ChoiceTable;
  readonly part?: Readonly<Record<string, string>>;
  readonly matches?: (query: Loose) => RawBuilder<SqlBool> | null;
}

/** Column under which a row comes with what is chosen. */
const CHOICE = "chosen_nodes";

class TableStore {
  readonly #resource: AnyResource;
  readonly #spec: LooseSpec;

  constructor(resource: AnyResource, spec: LooseSpec) {
    this.#resource = resource;
    this.#spec = spec;
  }

  async list(ctx: Context, query: Loose): Promise<{ rows: Loose[]; count: number }> {
    const { table, columns, complete } = this.#spec;
    const where = this.#where(ctx, query);
    const db: AnyTable = ctx.db;
    const sort = (query.orderByColumn as string | null) ?? this.#resource.sort[0] ?? "";
    // Both travel as one message; a window count would read every row before the first is known.
    const [found, total] = await Promise.all([
      db
        .selectFrom(table)
        .selectAll()
        .where(where)
        .orderBy(columns[sort] ?? "id", query.isAsc === "desc" ? "desc" : "asc")
        .orderBy("id")
        .limit(query.limit as number)
        .offset(((query.page as number) - 1) * (query.limit as number))
        .execute(),
      db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .where(where)
        .executeTakeFirstOrThrow(),
    ]);
    const [extra, chosen] = await Promise.all([
      complete ? complete(ctx, found) : [],
      this.#chosen(ctx, found),
    ]);
    const rows = found.map((row, index) => ({
      ...this.#toFields(row),
      ...(chosen && { cpeIds: chosen.get(row.id as number) ?? [] }),
      ...extra[index],
    }));
    return { rows, count: total.n };
  }

  async add(ctx: Context, draft: Loose): Promise<WrittenRow> {
    const enterpriseId = (await this.#enterpriseOf(ctx, draft)) ?? ctx.caller.enterpriseId;
    const db: AnyTable = ctx.db;
    const row = await db
      .insertInto(this.#spec.table)
      .values({
        ...this.#toColumns(draft),
        ...this.#holder(draft),
        ...this.#spec.part,
        enterprise_id: enterpriseId,
        created_by: ctx.caller.userId,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => this.#explain(error, draft));
    const chosen = await this.#choose(ctx, row, draft);
    return this.#written(row, null, { ...row, ...chosen });
  }

  async edit(ctx: Context, id: number, draft: Loose): Promise<WrittenRow> {
    const db: AnyTable = ctx.db;
    // May refuse at once: before anything is under way whose refusal nobody would hear.
    const inside = this.#inside(ctx, draft);
    // Side by side; of two refusals the owner's is answered first.
    const [named, old] = await Promise.all([
      this.#enterpriseOf(ctx, draft),
      db
        .selectFrom(this.#spec.table)
        .selectAll()
        .$if(this.#spec.chosen !== undefined, (query) => query.select(this.#ownChoice()))
        .where("id", "=", id)
        .where(inside)
        .forUpdate()
        .executeTakeFirst(),
    ]);
    if (!old) refuse("notFound");
    const enterpriseId = named ?? (old.enterprise_id as number);
    const row = await db
      .updateTable(this.#spec.table)
      .set({
        ...this.#toColumns(draft),
        enterprise_id: enterpriseId,
        ...("updated_at" in old && { updated_at: sql`now()` }),
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => this.#explain(error, draft));
    const chosen = await this.#choose(ctx, row, draft);
    return this.#written(row, old, { ...row, ...chosen });
  }

  async remove(ctx: Context, ids: readonly number[], inside: Loose): Promise<WrittenRow[]> {
    const db: AnyTable = ctx.db;
    const rows = await db
      .deleteFrom(this.#spec.table)
      .where(sql<SqlBool>`id = any(${[...ids]}::bigint[])`)
      .where(this.#inside(ctx, inside))
      .returningAll()
      .$if(this.#spec.chosen !== undefined, (query) => query.returning(this.#ownChoice()))
      .execute()
      .catch((error: unknown) => this.#explain(error, {}));
    return rows.map((row) => this.#written(row, row, null));
  }

  async combo(ctx: Context, inside: Loose): Promise<{ id: number; name: string }[]> {
    const { table, columns, comboField = "name" } = this.#spec;
    const db: AnyTable = ctx.db;
    const name = columns[comboField] ?? comboField;
    const rows = await db
      .selectFrom(table)
      .select(["id", `${name} as name`])
      .where(
        sql.join<SqlBool>(
          [this.#readable(ctx), ...this.#held(inside), ...this.#part()],
          sql` and `,
        ),
      )
      .orderBy(name)
      .orderBy("id")
      .execute();
    return rows as { id: number; name: string }[];
  }

  #isChoice(field: string): boolean {
    return this.#spec.chosen !== undefined && field === "cpeIds";
  }

  /** @returns what `#ownChoice` would read now */
  async #choose(ctx: Context, row: Loose, draft: Loose): Promise<Loose> {
    const { chosen } = this.#spec;
    if (chosen === undefined) return {};
    const owner = { id: row.id as number, enterpriseId: row.enterprise_id as number };
    const ids = [...new Set(draft.cpeIds as number[])].sort((one, other) => one - other);
    await writeChoice(ctx, chosen, owner, ids);
    return { [CHOICE]: ids };
  }

  /** What is chosen, as one more column of the row. */
  #ownChoice() {
    const { chosen = "", table } = this.#spec;
    return sql<number[]>`coalesce((select array_agg(node_id order by node_id)
      from ${sql.table(chosen)} where owner_id = ${sql.ref(`${table}.id`)}), '{}')`.as(CHOICE);
  }

  async #chosen(ctx: Context, rows: readonly Loose[]): Promise<Map<number, number[]> | null> {
    const { chosen } = this.#spec;
    if (chosen === undefined) return null;
    return readChoice(
      ctx,
      chosen,
      rows.map((row) => row.id as number),
    );
  }

  #scope(ctx: Context): RawBuilder<SqlBool> {
    return inCallerScope(ctx, "enterprise_id", "created_by");
  }

  /** The rows that a write may mean. */
  #inside(ctx: Context, input: Loose): Expression<SqlBool> {
    return sql.join<SqlBool>([this.#scope(ctx), ...this.#held(input), ...this.#part()], sql` and `);
  }

  #part(): RawBuilder<SqlBool>[] {
    return Object.entries(this.#spec.part ?? {}).map(
      ([column, value]) => sql<SqlBool>`${sql.ref(column)} = ${value}`,
    );
  }

  #held(input: Loose): RawBuilder<SqlBool>[] {
    const { owner } = this.#spec;
    return "heldBy" in owner ? [isHeldBy(holderIn(owner.heldBy, input))] : [];
  }

  /** Columns that say whose row it is, where the draft's own fields do not. */
  #holder(draft: Loose): Loose {
    const { owner } = this.#spec;
    if (!("heldBy" in owner)) return {};
    const { column, id } = holderIn(owner.heldBy, draft);
    return { [column]: id };
  }

  #readable(ctx: Context): RawBuilder<SqlBool> {
    return this.#spec.shared ? sql<SqlBool>`true` : this.#scope(ctx);
  }

  #where(ctx: Context, query: Loose): Expression<SqlBool> {
    const { owner, filters = {}, columns, matches } = this.#spec;
    const all = { ...filters, ...("node" in owner && { [owner.node]: "equal" as const }) };
    const parts = [this.#readable(ctx), ...this.#held(query), ...this.#part()];
    const more = matches?.(query);
    if (more) parts.push(more);
    for (const [field, how] of Object.entries(all)) {
      const value = query[field];
      if (value === null || value === undefined || value === "") continue;
      const column = sql.ref(columns[field] ?? field);
      parts.push(how === "equal" ? sql`${column} = ${value}` : contains(column, String(value)));
    }
    return sql.join<SqlBool>(parts, sql` and `);
  }

  /** The enterprise that the draft names, if it names one; refuses the owner field otherwise. */
  async #enterpriseOf(ctx: Context, draft: Loose): Promise<number | null> {
    const { owner } = this.#spec;
    if ("row" in owner) return requireRow(ctx, draft[owner.row] as number, owner);
    if ("enterprise" in owner) {
      const id = draft[owner.enterprise] as number | null;
      if (id === null) return null;
      await requireEnterprise(ctx, id, owner.enterprise);
      return id;
    }
    if ("heldBy" in owner) return requireHolder(ctx, holderIn(owner.heldBy, draft));
    return requireNode(ctx, draft[owner.node] as number, owner.node, owner.kind);
  }

  #toColumns(draft: Loose): Loose {
    const { owner } = this.#spec;
    const holders = "heldBy" in owner ? owner.heldBy.map(({ field }) => field) : [];
    const stored = Object.entries(draft).filter(
      ([field]) => !this.#isChoice(field) && !holders.includes(field),
    );
    const entries = stored.flatMap(([field, value]) => {
      const column = this.#spec.columns[field];
      if (column === undefined) throw new Error(`${this.#resource.name}.${field} has no column`);
      return column === null ? [] : [[column, value] as const];
    });
    return Object.fromEntries(entries);
  }

  #toFields(row: Loose): Loose {
    const plain = Object.entries(this.#spec.columns).flatMap(([field, column]) =>
      column === null ? [] : [[field, row[column]] as const],
    );
    return { ...Object.fromEntries(plain), ...(CHOICE in row && { cpeIds: row[CHOICE] }) };
  }

  #written(row: Loose, old: Loose | null, now: Loose | null): WrittenRow {
    const { owner, touches, columns } = this.#spec;
    const before = old && touches?.(old);
    const after = now && touches?.(now);
    const node = "node" in owner ? (columns[owner.node] ?? "node_id") : null;
    const nodes = node === null ? [] : [old?.[node], now?.[node]];
    const nodeIds = [...nodes, ...(before?.nodeIds ?? []), ...(after?.nodeIds ?? [])];
    const spaceIds = [...(before?.spaceIds ?? []), ...(after?.spaceIds ?? [])];
    return {
      id: row.id as number,
      enterpriseId: row.enterprise_id as number,
      old: old && this.#toFields(old),
      new: now && this.#toFields(now),
      ...((touches || node !== null) && {
        touches: { nodeIds: distinct(nodeIds), spaceIds: distinct(spaceIds) },
      }),
    };
  }

  #explain(error: unknown, draft: Loose): never {
    throw asRefusal(error, this.#spec.constraints ?? {}, draft) ?? error;
  }
}

const distinct = (ids: readonly unknown[]): number[] => [
  ...new Set(ids.filter((id): id is number => typeof id === "number")),
];

/**
 * Anywhere in the text, whatever the case. The trigram index serves it in sessions over the whole
 * tree; a scoped session filters its own rows first.
 */
export function contains(column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${column} ilike ${pattern}`;
}

/** The enterprise of a row that the caller may write to; refuses the field otherwise. */
async function requireRow(
  ctx: Context,
  id: number,
  { row, of }: { readonly row: string; readonly of: OwnerTable },
): Promise<number> {
  const found = await ctx.db
    .selectFrom(of)
    .select("enterprise_id")
    .where("id", "=", id)
    .where(inCallerScope(ctx, "enterprise_id", "created_by"))
    .executeTakeFirst();
  return found?.enterprise_id ?? refuseField(row, "unknown");
}
