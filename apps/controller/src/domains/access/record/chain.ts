import { sql, type Transaction } from "kysely";
import { type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { hashRows, noSeal, type Seal, type SealedRow, sealHash } from "./seal.ts";

/** The first place where the log is not what was sealed. */
export interface Break {
  readonly kind:
    | "rowChanged"
    | "rowRemoved"
    | "rowInserted"
    | "rowBackdated"
    | "sealChanged"
    | "sealRemoved";
  /** Null: the row belongs to no seal. */
  readonly seal: number | null;
  readonly row: number | null;
}

export interface ChainReport {
  readonly seals: number;
  readonly rows: number;
  /** Rows written so recently that no seal has them yet. */
  readonly waiting: number;
  /** Hash of the last seal; kept elsewhere it proves later that the end was not cut off. */
  readonly head: string;
  readonly broken: Break | null;
}

/** Seals read at once: memory stays the same however long the log is. */
const sealsPerPage = 50;
/** No transaction lasts so long: a row this much older than sealed ones was not written then. */
const maxTransactionMs = 3_600_000;

/**
 * Verifies the whole operation log on one snapshot, seal by seal, in constant memory.
 * @param anchor number and hash of a seal noted earlier: the chain must still hold it.
 */
export function verifyChain(
  pools: Pools<Database>,
  anchor?: { readonly seal: number; readonly hash: string },
): Promise<ChainReport> {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  return scopedSnapshot(pools.worker, scope, async (trx) => {
    const verification = new Verification();
    let broken: Break | null = null;
    for (let page = await sealsAfter(trx, 0); page.length > 0 && !broken; ) {
      for (const seal of page) {
        broken =
          verification.linkIssue(seal) ?? verification.rowIssue(seal, await rowsOf(trx, seal));
        if (broken) break;
        verification.pass(seal);
      }
      page = broken ? [] : await sealsAfter(trx, verification.last.number);
    }
    const head = verification.last.hash.toString("hex");
    if (!broken && anchor) broken = await anchorIssue(trx, anchor);
    broken ??= await looseIssue(trx);
    const { seals, rows } = verification;
    return { seals, rows, waiting: await countWaiting(trx), head, broken };
  });
}

class Verification {
  last: Pick<Seal, "number" | "hash"> = noSeal;
  seals = 0;
  rows = 0;
  #newest = Number.NEGATIVE_INFINITY;

  /** The seal itself: in its place, and what it was when it was made. */
  linkIssue(seal: Seal): Break | null {
    const number = this.last.number + 1;
    if (seal.number !== number) return { kind: "sealRemoved", seal: number, row: null };
    const same = sealHash(seal, this.last.hash).equals(seal.hash);
    return same ? null : { kind: "sealChanged", seal: number, row: null };
  }

  /** The rows that it seals. */
  rowIssue(seal: Seal, found: ReadonlyMap<number, SealedRow>): Break | null {
    let newest = this.#newest;
    for (const [index, id] of seal.row_ids.entries()) {
      const row = found.get(id);
      const at = { seal: seal.number, row: id };
      if (!row) return { kind: "rowRemoved", ...at };
      if (!seal.row_hashes[index]?.equals(row.hash)) return { kind: "rowChanged", ...at };
      if (row.at < this.#newest - maxTransactionMs) return { kind: "rowBackdated", ...at };
      newest = Math.max(newest, row.at);
    }
    this.#newest = newest;
    return null;
  }

  pass(seal: Seal): void {
    this.last = seal;
    this.seals++;
    this.rows += seal.row_ids.length;
  }
}

async function sealsAfter(trx: Transaction<Database>, number: number): Promise<Seal[]> {
  return trx
    .selectFrom("audit_seal")
    .selectAll()
    .where("number", ">", number)
    .orderBy("number")
    .limit(sealsPerPage)
    .execute();
}

async function rowsOf(
  trx: Transaction<Database>,
  seal: Seal,
): Promise<ReadonlyMap<number, SealedRow>> {
  const rows = await hashRows(trx, sql`${[...seal.row_ids]}::bigint[]`);
  return new Map(rows.map((row) => [row.id, row]));
}

async function anchorIssue(
  trx: Transaction<Database>,
  anchor: { readonly seal: number; readonly hash: string },
): Promise<Break | null> {
  const { seal: number } = anchor;
  if (number === 0) return null;
  const seal = await trx
    .selectFrom("audit_seal")
    .select("hash")
    .where("number", "=", number)
    .executeTakeFirst();
  if (!seal) return { kind: "sealRemoved", seal: number, row: null };
  const same = seal.hash.toString("hex") === anchor.hash;
  return same ? null : { kind: "sealChanged", seal: number, row: null };
}

/** Rows beside the chain: neither sealed nor waiting for it, or waiting and gone. */
async function looseIssue(trx: Transaction<Database>): Promise<Break | null> {
  const { rows } = await sql<{ inserted: number | null; removed: number | null }>`
    select
      (select min(id) from (
        select id from audit except select unnest(row_ids) from audit_seal
        except select audit_id from audit_waiting) beside) as inserted,
      (select min(audit_id) from audit_waiting w
        where not exists (select from audit a where a.id = w.audit_id)) as removed`.execute(trx);
  const { inserted = null, removed = null } = rows[0] ?? {};
  if (removed !== null) return { kind: "rowRemoved", seal: null, row: removed };
  return inserted === null ? null : { kind: "rowInserted", seal: null, row: inserted };
}

async function countWaiting(trx: Transaction<Database>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from audit_waiting`.execute(trx);
  return rows[0]?.n ?? 0;
}
