import { createHash } from "node:crypto";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";

/** One link of the chain over the operation log (design section 3.1). */
export interface Seal {
  /** 1, 2, 3 ... without a gap. */
  readonly number: number;
  readonly at: Date;
  /** Audit rows that it seals, ascending, and the hash of each. */
  readonly row_ids: readonly number[];
  readonly row_hashes: readonly Buffer[];
  readonly hash: Buffer;
}

/** What the first seal refers to. */
export const noSeal: Pick<Seal, "number" | "hash"> = { number: 0, hash: Buffer.alloc(32) };

export interface SealedRow {
  readonly id: number;
  readonly hash: Buffer;
  /** When it was written, in ms since 1970. */
  readonly at: number;
}

type Column = "id" | "enterprise_id" | "user_id" | "login_name" | "action" | "resource";
type Nullable = "row_id" | "old_value" | "new_value" | "about" | "misfiled";
type RowText = Readonly<
  Record<Column | "address" | "request_id" | "at", string> & Record<Nullable, string | null>
>;

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Hash of a seal: SHA-256 over the canonical JSON of its number, its time, the previous seal's hash
 * and its rows.
 */
export const sealHash = (seal: Omit<Seal, "hash">, previous: Buffer): Buffer =>
  sha256(
    canonicalJson({
      number: seal.number,
      at: seal.at.toISOString(),
      previous: previous.toString("hex"),
      rows: seal.row_ids.map((id, index) => [id, seal.row_hashes[index]?.toString("hex")]),
    }),
  );

/**
 * Rows of the operation log with their hashes, by id: SHA-256 over the canonical JSON of all
 * columns but those that are computed of others, by which rows are found: where one of these is not what it is computed
 * to be (describe_audit), the hash is another one. Every value is taken as PostgreSQL's text, so that
 * microseconds and long numbers count.
 * Rows from before the log kept names (column about) were hashed without that column.
 */
export async function hashRows(
  trx: Transaction<Database>,
  ids: RawBuilder<number[]>,
): Promise<SealedRow[]> {
  const { rows } = await sql<RowText>`
    select id::text, enterprise_id::text, user_id::text, login_name, action, resource,
      row_id::text, old_value::text, new_value::text, about::text, address, request_id,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      case when (verb, node_id, template_id) is distinct from (substring(action from '[^.]*$'),
          audit_node(resource, a.row_id, a.old_value, a.new_value),
          audit_template(resource, a.row_id, a.old_value, a.new_value))
        then concat_ws(' ', verb, node_id, template_id) end as misfiled
    from audit a where a.id = any(${ids}) order by a.id`.execute(trx);
  return rows.map(({ about, misfiled, ...row }) => ({
    id: Number(row.id),
    hash: sha256(
      canonicalJson({
        ...row,
        ...(about !== null && { about }),
        ...(misfiled !== null && { misfiled }),
      }),
    ),
    at: Date.parse(row.at),
  }));
}
