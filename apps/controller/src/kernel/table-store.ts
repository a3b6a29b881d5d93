import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { versionField } from "@weft/contract/kernel/row-version.ts";
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { AnyTable } from "#db/any-table.ts";
import { KnownStatements, type ValueOf } from "#db/known-statements.ts";
import type { Context } from "./api.ts";
import { asRefusal, isAborted } from "./database-errors.ts";
import { membersColumn, readMembers, replaceMembers } from "./members.ts";
import { isOwn, type Reference, requireRow } from "./reference.ts";
import { refuse, refuseField } from "./refuse.ts";
import type { EditCheck, ListedRow, Store, StoredRow, WrittenRow } from "./resource-store.ts";
import { nameFields } from "./row-names.ts";
import { isOwnedBy, ownerIn, requireOwner } from "./row-owner.ts";
import { versionText } from "./row-version.ts";
import {
  inCallerScope,
  isInScope,
  requireEnterprise,
  scopeShape,
  scopeTerms,
  scopeValues,
} from "./scope.ts";
import type { Loose, LooseSpec, MemberField, Table, TableSpec } from "./table-spec.ts";

/** The store of a resource that is one table: list, add, edit, remove, combo and one row. */
export function tableStore<
  R extends AnyResource,
  T extends Table,
  const M extends MemberField<R> = never,
>(
  resource: R,
  spec: TableSpec<R, T, M>,
): Store<R> & { read(ctx: Context, id: number): Promise<ListedRow<R>> } {
  const store = new TableStore(resource, spec as unknown as LooseSpec);
  const edit: Store<R>["edit"] = (ctx, id, draft, check) =>
    store.edit(ctx, id, draft as Loose, check);
  lockingEdits.add(edit);
  return {
    list: (ctx, query) => store.list(ctx, query) as ReturnType<Store<R>["list"]>,
    read: (ctx, id) => store.read(ctx, id) as Promise<ListedRow<R>>,
    add: (ctx, draft) => store.add(ctx, draft as Loose),
    edit,
    remove: (ctx, ids, inside) => store.remove(ctx, ids, inside),
    combo: (ctx, inside) => store.combo(ctx, inside),
  };
}

const lockingEdits = new WeakSet<object>();

/** Whether an edit begins with reading and locking its row, beside its check: a store that brings its own edit may do anything first. */
export const isLockedFirst = ({ edit }: Pick<Store<AnyResource>, "edit">): boolean =>
  lockingEdits.has(edit);

/** Column under which a row comes with the members in a field. */
const columnOfMembers = (field: string): string => `members ${field}`;

/** Column of each row of a page with the number of rows on all pages. */
const countColumn = "rows on all pages";

/** Column of a locked row with the enterprise of the owner that the edit names. */
const ownerColumn = "enterprise of the owner";

class TableStore {
  readonly #resource: AnyResource;
  readonly #spec: LooseSpec;
  readonly #statements = new KnownStatements();

  constructor(resource: AnyResource, spec: LooseSpec) {
    this.#resource = resource;
    this.#spec = spec;
  }

  async list(ctx: Context, query: Loose): Promise<{ rows: Loose[]; count: number }> {
    const { table, columns } = this.#spec;
    const { shape, where, values } = this.#where(ctx, query);
    const db: AnyTable = ctx.db;
    const sort = columns[(query.orderByColumn as string | null) ?? this.#resource.sort[0] ?? ""];
    const order = query.isAsc === "desc" ? "desc" : "asc";
    const limit = query.limit as number;
    const page = { ...values, limit, offset: ((query.page as number) - 1) * limit };
    const counted = (value: ValueOf) =>
      db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .where(where(value));
    // One statement: a window count would read every row before the first is known.
    const found = await this.#statements.run<Loose>(
      db,
      shape && `list ${sort} ${order} ${shape}`,
      (value) =>
        db
          .selectFrom(table)
          .selectAll()
          .select([counted(value).as(countColumn), ...this.#reads()])
          .where(where(value))
          .orderBy(sort ?? "id", order)
          .orderBy("id")
          .limit(value("limit"))
          .offset(value("offset")),
      page,
    );
    // Behind the last row there is none that could carry the count.
    const isBehind = found.length === 0 && page.offset > 0;
    const [total] = isBehind
      ? await this.#statements.run<{ readonly n: number }>(
          db,
          shape && `count ${shape}`,
          counted,
          values,
        )
      : [];
    const count = total?.n ?? (found[0]?.[countColumn] as number | undefined) ?? 0;
    return { rows: await this.#complete(ctx, found), count };
  }

  async read(ctx: Context, id: number): Promise<Loose> {
    const db: AnyTable = ctx.db;
    const row = await db
      .selectFrom(this.#spec.table)
      .selectAll()
      .select(this.#reads())
      .where("id", "=", id)
      .where(sql.join<SqlBool>([this.#readable(ctx), ...this.#part()], sql` and `))
      .executeTakeFirst();
    const [complete] = row ? await this.#complete(ctx, [row]) : [];
    return complete ?? refuse("notFound");
  }

  async add(ctx: Context, draft: Loose): Promise<StoredRow> {
    const enterpriseId = (await this.#enterpriseOf(ctx, draft)) ?? ctx.caller.enterpriseId;
    const db: AnyTable = ctx.db;
    const columns = given({
      ...this.#toColumns(draft),
      ...this.#ownerColumn(draft),
      ...this.#spec.part,
      enterprise_id: enterpriseId,
      created_by: ctx.caller.userId,
    });
    const row = await this.#statements
      .run<Loose>(
        db,
        shapeOf("add", columns),
        (value) => db.insertInto(this.#spec.table).values(placesOf(columns, value)).returningAll(),
        columns,
      )
      .then(onlyRow)
      .catch((error: unknown) => this.#explain(error, draft));
    const members = await this.#replaceMembers(ctx, row, draft, null);
    return this.#written(row, null, { ...row, ...members });
  }

  async edit(
    ctx: Context,
    id: number,
    draft: Loose,
    check: EditCheck = async () => undefined,
  ): Promise<StoredRow> {
    const db: AnyTable = ctx.db;
    // Side by side; of several refusals that of the checks is answered first, then the owner's.
    const locked = this.#lock(ctx, id, draft);
    const stored = locked.then(([row]) => (row ? this.#toFields(row) : null));
    // A check may not ask for it.
    stored.catch(() => undefined);
    const [, [old]] = await allInOrder([check(stored), locked]);
    if (!old) {
      await this.#enterpriseOf(ctx, draft);
      refuse("notFound");
    }
    const owner = this.#namedOwner(draft);
    const named = old[ownerColumn] as number | null;
    if (owner !== null && named === null) refuseField(owner.field, "unknown");
    const columns = given({
      ...this.#toColumns(draft),
      enterprise_id: named ?? (old.enterprise_id as number),
    });
    const isDated = "updated_at" in old;
    const row = await this.#statements
      .run<Loose>(
        db,
        shapeOf(`edit ${isDated}`, columns),
        (value) =>
          db
            .updateTable(this.#spec.table)
            .set({ ...placesOf(columns, value), ...(isDated && { updated_at: sql`now()` }) })
            .where("id", "=", value("of id"))
            .returningAll(),
        { ...columns, "of id": id },
      )
      .then(onlyRow)
      .catch((error: unknown) => this.#explain(error, draft));
    const members = await this.#replaceMembers(ctx, row, draft, old);
    return this.#written(row, old, { ...row, ...members });
  }

  /** The row as it is, which nobody else edits until the transaction ends; none where the caller has none of this id. */
  async #lock(ctx: Context, id: number, draft: Loose): Promise<Loose[]> {
    const db: AnyTable = ctx.db;
    const { shape, where, values } = this.#inside(ctx, draft);
    const owner = this.#namedOwner(draft);
    return this.#statements.run<Loose>(
      db,
      `lock ${owner?.field} ${shape}`,
      (value) =>
        db
          .selectFrom(this.#spec.table)
          .selectAll()
          .select(this.#memberColumns())
          .select(enterpriseOf(ctx, owner, value).as(ownerColumn))
          .where("id", "=", value("id"))
          .where(where(value))
          .forNoKeyUpdate(),
      { ...values, id, "named owner": owner?.id },
    );
  }

  async remove(ctx: Context, ids: readonly number[], inside: Loose): Promise<StoredRow[]> {
    const db: AnyTable = ctx.db;
    const { shape, where, values } = this.#inside(ctx, inside);
    const rows = await this.#statements
      .run<Loose>(
        db,
        `remove ${shape}`,
        (value) =>
          db
            .deleteFrom(this.#spec.table)
            .where(sql<SqlBool>`id = any(${value("ids")}::bigint[])`)
            .where(where(value))
            .returningAll()
            .returning(this.#memberColumns()),
        { ...values, ids: [...ids] },
      )
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
          [this.#readable(ctx), ...this.#ownedBy(inside), ...this.#part()],
          sql` and `,
        ),
      )
      .orderBy(name)
      .orderBy("id")
      .execute();
    return rows as { id: number; name: string }[];
  }

  get #members() {
    return Object.entries(this.#spec.members ?? {});
  }

  /** Fields that other tables hold, of rows that were read. */
  async #complete(ctx: Context, rows: readonly Loose[]): Promise<Loose[]> {
    const { complete, names, columns } = this.#spec;
    const ids = rows.map((row) => row.id as number);
    const [extra, named, ...members] = await Promise.all([
      complete ? complete(ctx, rows) : [],
      names ? nameFields(ctx, this.#resource, names, columns, rows) : [],
      ...this.#members.map(
        async ([field, one]) => [field, await readMembers(ctx, one, ids)] as const,
      ),
    ]);
    return rows.map((row, index) => ({
      ...this.#toFields(row),
      [versionField]: versionText(row.row_version as number),
      ...Object.fromEntries(
        members.map(([field, byOwner]) => [field, byOwner.get(row.id as number) ?? []]),
      ),
      ...named[index],
      ...extra[index],
    }));
  }

  /**
   * @param old the row before; null: it is new
   * @returns what `#memberColumns` would read now, and the version that the row has by them
   */
  async #replaceMembers(
    ctx: Context,
    row: Loose,
    draft: Loose,
    old: Loose | null,
  ): Promise<Record<string, unknown>> {
    const owner = { id: row.id as number, enterpriseId: row.enterprise_id as number };
    const stored: Record<string, unknown> = {};
    let isChanged = false;
    for (const [field, members] of this.#members) {
      const column = columnOfMembers(field);
      const has = (old?.[column] ?? []) as number[];
      // Members that moved with their owner are written again: whose they are is checked anew.
      const before = old?.enterprise_id === row.enterprise_id || old === null ? has : null;
      const given = { field, before };
      const ids = await replaceMembers(ctx, members, owner, draft[field] as number[], given);
      isChanged ||= ids.join() !== has.join();
      stored[column] = ids;
    }
    if (isChanged) {
      const db: AnyTable = ctx.db;
      const { row_version } = await db
        .selectFrom(this.#spec.table)
        .select("row_version")
        .where("id", "=", owner.id)
        .executeTakeFirstOrThrow();
      stored.row_version = row_version;
    }
    return stored;
  }

  /** Each list of members as one more column of the row. */
  #memberColumns() {
    const { table } = this.#spec;
    return this.#members.map(([field, members]) =>
      membersColumn(members, table).as(columnOfMembers(field)),
    );
  }

  #reads() {
    return Object.entries(this.#spec.reads ?? {}).map(([name, read]) => read.as(name));
  }

  #scope(ctx: Context): RawBuilder<SqlBool> {
    return inCallerScope(ctx, "enterprise_id", "created_by");
  }

  /** The rows that a write may mean. */
  #inside({ caller }: Context, input: Loose): Condition {
    const owned = this.#owned(input);
    return {
      shape: `${scopeShape(caller)} ${owned.shape}`,
      where: (value) =>
        sql.join<SqlBool>(
          [
            isInScope(scopeTerms(caller.scope, value), "enterprise_id", "created_by"),
            ...owned.parts(value),
            ...this.#part(),
          ],
          sql` and `,
        ),
      values: { ...scopeValues(caller), ...owned.values },
    };
  }

  #part(): RawBuilder<SqlBool>[] {
    return Object.entries(this.#spec.part ?? {}).map(
      ([column, value]) => sql<SqlBool>`${sql.ref(column)} = ${value}`,
    );
  }

  #ownedBy(input: Loose): RawBuilder<SqlBool>[] {
    const { owner } = this.#spec;
    return "oneOf" in owner ? [isOwnedBy(ownerIn(owner.oneOf, input))] : [];
  }

  /** Rows of the owner that the input names, for a statement that is kept. @throws Refusal when it names none */
  #owned(input: Loose) {
    const { owner } = this.#spec;
    if (!("oneOf" in owner)) return { shape: "", parts: () => [], values: {} };
    const named = ownerIn(owner.oneOf, input);
    return {
      shape: named.field,
      parts: (value: ValueOf) => [isOwnedBy({ ...named, id: value("owner") })],
      values: { owner: named.id },
    };
  }

  /** Columns that say whose row it is, where the draft's own fields do not. */
  #ownerColumn(draft: Loose): Loose {
    const { owner } = this.#spec;
    if (!("oneOf" in owner)) return {};
    const { column, id } = ownerIn(owner.oneOf, draft);
    return { [column]: id };
  }

  #readable(ctx: Context): RawBuilder<SqlBool> {
    return this.#spec.shared ? sql<SqlBool>`true` : this.#scope(ctx);
  }

  #where({ caller }: Context, query: Loose): Condition {
    const { owner, filters = {}, columns, matches, shared = false } = this.#spec;
    const all = { ...filters, ...("row" in owner && { [owner.row]: "equal" as const }) };
    // Rows of all CPEs are those of the caller, also where those of one node are readable with it.
    const isShared = shared && query.acrossCpes !== true;
    const owned = this.#owned(query);
    const more = matches?.(query) ?? null;
    const asked = Object.entries(all).flatMap(([field, how]) => {
      const value = query[field];
      if (value === null || value === undefined || value === "") return [];
      return [{ field, how, value, column: sql.ref(columns[field] ?? field) }];
    });
    // What is searched for, and conditions of a resource of its own, are in the text with their values.
    const ownText = more !== null || asked.some(({ how }) => how === "contains");
    return {
      shape: ownText
        ? null
        : `${isShared} ${scopeShape(caller)} ${owned.shape} ${asked.map(({ field }) => field).join()}`,
      where: (value) =>
        sql.join<SqlBool>(
          [
            isShared
              ? sql<SqlBool>`true`
              : isInScope(scopeTerms(caller.scope, value), "enterprise_id", "created_by"),
            ...owned.parts(value),
            ...this.#part(),
            ...(more === null ? [] : [more]),
            ...asked.map(({ field, how, value: wanted, column }) =>
              how === "equal"
                ? sql<SqlBool>`${column} = ${value(`wanted ${field}`)}`
                : contains(column, String(wanted)),
            ),
          ],
          sql` and `,
        ),
      values: {
        ...scopeValues(caller),
        ...owned.values,
        ...Object.fromEntries(asked.map(({ field, value }) => [`wanted ${field}`, value])),
      },
    };
  }

  /** The enterprise that the draft names, if it names one; refuses the owner field otherwise. */
  async #enterpriseOf(ctx: Context, draft: Loose): Promise<number | null> {
    const { owner } = this.#spec;
    if ("row" in owner) return requireRow(ctx, owner.of, draft[owner.row] as number, owner.row);
    if ("enterprise" in owner) {
      const id = draft[owner.enterprise] as number | null;
      if (id === null) return null;
      await requireEnterprise(ctx, id, owner.enterprise);
      return id;
    }
    return requireOwner(ctx, ownerIn(owner.oneOf, draft));
  }

  /** What the draft names as owner, whose enterprise the row gets; null: the row stays where it is. */
  #namedOwner(draft: Loose): NamedRow | null {
    const { owner } = this.#spec;
    if ("oneOf" in owner) return ownerIn(owner.oneOf, draft);
    if ("row" in owner) return { of: owner.of, id: draft[owner.row] as number, field: owner.row };
    const id = draft[owner.enterprise] as number | null;
    return id === null ? null : { of: null, id, field: owner.enterprise };
  }

  #toColumns(draft: Loose): Loose {
    const { owner } = this.#spec;
    const elsewhere = [
      ...("oneOf" in owner ? owner.oneOf.map(({ field }) => field) : []),
      ...this.#members.map(([field]) => field),
    ];
    const entries = Object.entries(draft).flatMap(([field, value]) => {
      if (elsewhere.includes(field)) return [];
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
    const members = this.#members.flatMap(([field]) =>
      columnOfMembers(field) in row ? [[field, row[columnOfMembers(field)]] as const] : [],
    );
    return Object.fromEntries([...plain, ...members]);
  }

  #written(row: Loose, old: Loose | null, now: Loose | null): StoredRow {
    return {
      id: row.id as number,
      enterpriseId: row.enterprise_id as number,
      old: old && this.#toFields(old),
      new: now && this.#toFields(now),
      versions: {
        old: (old?.row_version as number | undefined) ?? null,
        new: (now?.row_version as number | undefined) ?? null,
      },
      ...this.#touched([old, now]),
    };
  }

  /** What a row touches as it was and as it is. */
  #touched(states: readonly (Loose | null)[]): Pick<WrittenRow, "touches"> {
    const { owner, touches, columns } = this.#spec;
    const ofOwner = "row" in owner ? owner.of.touches : undefined;
    if (!touches && !ofOwner) return {};
    const owned = "row" in owner ? (columns[owner.row] ?? owner.row) : "";
    const all = states.flatMap((state) =>
      state === null ? [] : [touches?.(state), ofOwner?.(state[owned] as number)],
    );
    return {
      touches: {
        nodeIds: distinct(all.flatMap((one) => one?.nodeIds ?? [])),
        spaceIds: distinct(all.flatMap((one) => one?.spaceIds ?? [])),
      },
    };
  }

  #explain(error: unknown, draft: Loose): never {
    throw asRefusal(error, this.#spec.constraints ?? {}, draft) ?? error;
  }
}

/** A row that a draft names in a field: of a table, or an enterprise (null). */
interface NamedRow {
  readonly of: Reference | null;
  readonly id: number;
  readonly field: string;
}

/** The enterprise of such a row as a part of a statement; null where it is not the caller's to write in. */
function enterpriseOf(
  { caller }: Context,
  named: NamedRow | null,
  value: ValueOf,
): RawBuilder<number | null> {
  if (named === null) return sql`null::bigint`;
  const scope = scopeTerms(caller.scope, value);
  const id = value("named owner");
  return named.of === null
    ? sql`(select id from enterprise where id = ${id} and ${isInScope(scope, "id")})`
    : sql`(select enterprise_id from ${sql.table(named.of.table)} where id = ${id} and ${isOwn(named.of, scope)})`;
}

/** A condition that is built once for all that has its shape; null: it is like no other. */
interface Condition {
  readonly shape: string | null;
  readonly where: (value: ValueOf) => Expression<SqlBool>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Columns that get a value. */
const given = (columns: Loose): Loose =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));

/** A store may give SQL in place of a value, such as the next place in a list: it is a part of the text. */
const isSql = (value: unknown): value is RawBuilder<unknown> =>
  typeof value === "object" && value !== null && "toOperationNode" in value;

const placesOf = (columns: Loose, value: ValueOf): Record<string, RawBuilder<unknown>> =>
  Object.fromEntries(
    Object.entries(columns).map(([column, one]) => [column, isSql(one) ? one : value(column)]),
  );

/** What the text of a write of these columns follows from; null: it is not to be kept. */
const shapeOf = (what: string, columns: Loose): string | null =>
  Object.values(columns).some(isSql) ? null : `${what} ${Object.keys(columns).join()}`;

function onlyRow([row]: readonly Loose[]): Loose {
  if (!row) throw new Error("the statement wrote no row");
  return row;
}

/**
 * As Promise.all, but that it waits for all of them, and that of several failures the first in the list counts and not the
 * first in time. What a failed statement makes of those behind it is no failure of their own.
 */
async function allInOrder<const T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  const outcomes = await Promise.allSettled(promises);
  const reasons = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  if (reasons.length > 0) throw reasons.find((reason) => !isAborted(reason)) ?? reasons[0];
  return Promise.all(promises);
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)];

/**
 * Anywhere in the text, whatever the case; of several words each, in any order. What is typed in full-width characters
 * or with blanks around it is looked for as typed and in its plain form (NFKC). The trigram index serves it in sessions
 * over the whole tree; a scoped session filters its own rows first.
 */
export function contains(column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const like = (part: string) =>
    sql<SqlBool>`${column} ilike ${`%${part.replace(/[\\%_]/g, "\\$&")}%`}`;
  const words = text
    .normalize("NFKC")
    .split(/\s+/)
    .filter((word) => word !== "");
  const [first, ...others] = words;
  // Nothing but blanks finds what has blanks, never everything.
  if (first === undefined || (first === text && others.length === 0)) return like(text);
  return sql<SqlBool>`(${like(text)} or (${sql.join(words.map(like), sql` and `)}))`;
}
