/** Names of rows that values of the operation log name by their ids. */
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#kernel/api.ts";

const tables = {
  node: "node",
  enterprise: "enterprise",
  role: "role",
  space: "net_space",
  template: "router_template",
} as const;
type Kind = keyof typeof tables;

/** Fields that name rows of another table by their ids. */
const kinds: Readonly<Record<string, Kind>> = {
  cpeId: "node",
  nCpeID: "node",
  popId: "node",
  nodeId: "node",
  node_id: "node",
  cpeIds: "node",
  popIds: "node",
  sourceId: "node",
  targetId: "node",
  parentCpeId: "node",
  groupid: "enterprise",
  groupids: "enterprise",
  enterprise_id: "enterprise",
  parentId: "enterprise",
  roleId: "role",
  roleIds: "role",
  netSpaceId: "space",
  templateId: "template",
};

const kindOf = (field: string): Kind | null =>
  Object.hasOwn(kinds, field) ? (kinds[field] ?? null) : null;

type Values = Readonly<Record<string, unknown>> | null;

interface Named {
  readonly kind: Kind;
  readonly id: number;
  readonly name: string;
  /** Of a node: what it is. */
  readonly node_kind: "cpe" | "pop" | null;
}

/** What rows are called now; those that the caller may not see are not among them. */
export class Names {
  readonly #found: ReadonlyMap<string, Named>;

  constructor(found: readonly Named[]) {
    this.#found = new Map(found.map((one) => [`${one.kind}:${one.id}`, one]));
  }

  /** What an id in a field is called; null: the field holds no ids, or the id is unknown. */
  of(field: string, id: unknown): string | null {
    const kind = kindOf(field);
    return kind === null ? null : (this.#found.get(`${kind}:${id}`)?.name ?? null);
  }

  /** Whether a node is a CPE or a POP; null: there is none, or it is out of sight. */
  nodeKind(id: number | null): Named["node_kind"] {
    return this.#found.get(`node:${id}`)?.node_kind ?? null;
  }
}

const idsOf = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => Number.isSafeInteger(one) && one > 0);

/** Names of all rows that these values name by their ids, in the caller's sight: one statement. */
export async function readNames(ctx: Context, values: readonly Values[]): Promise<Names> {
  const idsByKind = new Map<Kind, Set<number>>();
  for (const [field, value] of values.flatMap((one) => Object.entries(one ?? {}))) {
    const kind = kindOf(field);
    const ids = kind === null ? [] : idsOf(value);
    if (kind === null || ids.length === 0) continue;
    idsByKind.set(kind, new Set([...(idsByKind.get(kind) ?? []), ...ids]));
  }
  if (idsByKind.size === 0) return new Names([]);
  const parts = [...idsByKind].map(
    ([kind, ids]): RawBuilder<unknown> =>
      sql`select ${kind}::text as kind, id, name,
          ${kind === "node" ? sql`kind` : sql`null::text`} as node_kind
        from ${sql.table(tables[kind])} where id = any(${[...ids]}::bigint[])`,
  );
  const { rows } = await sql<Named>`${sql.join(parts, sql` union all `)}`.execute(ctx.db);
  return new Names(rows);
}
