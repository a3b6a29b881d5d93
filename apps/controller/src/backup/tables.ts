import type pg from "pg";

export interface Table {
  readonly name: string;
  /** Without generated ones. */
  readonly columns: readonly string[];
  readonly isForced: boolean;
}

interface TableRow {
  readonly name: string;
  readonly columns: string[];
  readonly forced: boolean;
  readonly open: boolean;
}

/**
 * All tables of the schema in an order in which they can be filled.
 * @throws Error when the owner would not see all rows of one, or tables refer to each other in a
 * circle: a backup must not look whole and be none
 */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<TableRow>(`
    select c.relname as name, c.relforcerowsecurity as forced,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      not c.relforcerowsecurity or exists (select from pg_policies p
        where p.schemaname = 'weft' and p.tablename = c.relname and p.permissive = 'PERMISSIVE'
          and p.roles && array[current_user, 'public'] and p.cmd in ('ALL', 'SELECT') and p.qual = 'true'
      ) as open
    from pg_class c
    where c.relnamespace = 'weft'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
    order by c.relname`);
  const closed = rows.filter(({ open }) => !open).map(({ name }) => name);
  if (closed.length > 0) throw new Error(`weft_owner may not read all of ${closed.join(", ")}.`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select f.relname as "from", t.relname as "to"
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = 'weft'::regnamespace and k.conrelid <> k.confrelid
      and not f.relispartition and not t.relispartition`);
  return inOrder(
    rows.map(({ name, columns, forced }) => ({ name, columns, isForced: forced })),
    references,
  );
}

/** What is referred to comes before what refers to it. Pure. */
export function inOrder(
  tables: readonly Table[],
  references: readonly { readonly from: string; readonly to: string }[],
): Table[] {
  const ordered: Table[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && left.has(to)),
    );
    if (free.length === 0) {
      throw new Error(`Tables refer to each other in a circle: ${[...left.keys()].join(", ")}.`);
    }
    for (const table of free) left.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
}

export interface Sequence {
  readonly name: string;
  /** The last number handed out; 0: none. */
  readonly value: number;
}

export async function readSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string; value: string | null }>(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'weft' order by sequencename`);
  return rows.map(({ name, value }) => ({ name, value: Number(value ?? 0) }));
}
