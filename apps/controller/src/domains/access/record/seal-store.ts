import type { operaRecordVerify } from "@weft/contract/domains/access/record.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { hashRows, noSeal, type Seal, sealHash } from "./seal.ts";
import { shownOperations } from "./shown.ts";

interface Link extends Seal {
  /** Hash of the seal before; null for the first, and where that one is gone. */
  readonly previous: Buffer | null;
}

type Verified = OutputOf<typeof operaRecordVerify>;

/**
 * Verifies rows that the caller's log shows, each with its seal and that seal's place. Asked in a
 * transaction over the whole tree.
 */
export async function verifyRows(ctx: Context, ids: readonly number[]): Promise<Verified> {
  const { db } = ctx;
  const { rows: shown } = await sql<{ id: number; waiting: boolean }>`
    select l.id, exists (select from audit_waiting w where w.audit_id = l.id) as waiting
    from audit l where l.id = any(${[...ids]}::bigint[]) and ${shownOperations(ctx)}
    order by l.id desc`.execute(db);
  const wanted = shown.map((row) => row.id);
  const { rows: seals } = await sql<Link>`
    select s.*, p.hash as previous from audit_seal s
    left join audit_seal p on p.number = s.number - 1
    where s.row_ids && ${wanted}::bigint[]`.execute(db);
  const rows = await hashRows(db, sql`${wanted}::bigint[]`);
  const hashes = new Map(rows.map((row) => [row.id, row.hash]));
  return shown.map(({ id, waiting }) => {
    const seal = seals.find((link) => link.row_ids.includes(id));
    if (!seal) return { id, seal: null, state: waiting ? "waiting" : "broken" };
    return { id, seal: seal.number, state: holds(seal, id, hashes) ? "sealed" : "broken" };
  });
}

/** The seal is what it was made as, and the row what it was when it was sealed. */
function holds(seal: Link, id: number, hashes: ReadonlyMap<number, Buffer>): boolean {
  const previous = seal.number === 1 ? noSeal.hash : seal.previous;
  if (!previous || !sealHash(seal, previous).equals(seal.hash)) return false;
  const made = seal.row_hashes[seal.row_ids.indexOf(id)];
  const now = hashes.get(id);
  return made !== undefined && now !== undefined && made.equals(now);
}
