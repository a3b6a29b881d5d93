/** Reads what decides which POPs the sites of a space are linked with. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { type Choice, tiersOf } from "./place.ts";

interface ChoiceRow {
  readonly enterprise_id: number;
  readonly strategy: string;
  readonly list: readonly number[];
  readonly groups: readonly (readonly number[])[];
  readonly only_pops: readonly number[];
}

/** POP strategies of the enterprises of a space's CPEs, and the load that its POPs have from other spaces. */
export async function readPlacement(
  trx: Transaction<Database>,
  spaceId: number,
  members: readonly { readonly id: number; readonly kind: string }[],
) {
  const pops = members.flatMap(({ id, kind }) => (kind === "pop" ? [id] : []));
  const selected = await sql<ChoiceRow>`select * from weft.pop_choices(${spaceId})`.execute(trx);
  const loaded = await sql<{ pop_id: number; sites: number }>`
    select pop_id, sites from weft.pop_loads(${spaceId}, ${pops}::bigint[])`.execute(trx);
  return {
    choices: new Map(
      selected.rows.map(
        ({ enterprise_id, strategy, list, groups, only_pops }): [number, Choice] => [
          enterprise_id,
          { strategy, tiers: tiersOf(list, groups, only_pops) },
        ],
      ),
    ),
    loads: new Map(loaded.rows.map(({ pop_id, sites }) => [pop_id, sites])),
  };
}
