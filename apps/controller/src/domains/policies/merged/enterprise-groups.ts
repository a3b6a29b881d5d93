/** Groups of addresses and of host names that enterprises keep for all their nodes. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { EnterpriseGroups } from "./merged-policy.ts";

/** By enterprise of the nodes: its own, and IP groups that an enterprise above it shares and whose name it does not use. */
export async function readEnterpriseGroups(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, EnterpriseGroups>> {
  const { rows } = await sql<{
    enterprise_id: number;
    family: string;
    name: string;
    members: string[];
  }>`select * from weft.enterprise_groups_of(${[...nodeIds]}::bigint[])`.execute(trx);
  const byEnterprise = Map.groupBy(rows, ({ enterprise_id }) => enterprise_id);
  return new Map(
    [...byEnterprise].map(([enterpriseId, groups]) => {
      const byFamily = Map.groupBy(groups, ({ family }) => family);
      const families = [...byFamily].map(([family, own]) => [
        family,
        new Map(own.map(({ name, members }) => [name, members])),
      ]);
      return [enterpriseId, Object.fromEntries(families)];
    }),
  );
}
