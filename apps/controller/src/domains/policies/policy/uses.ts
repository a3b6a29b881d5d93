import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import { ownApplicationId } from "@weft/contract/rules/applications.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { columnOf, tableOf } from "./columns.ts";

interface Use {
  readonly family: string;
  readonly name: string;
}

/** Entries that go with their group: no use of it. */
const entries = ["routerIpgroupdefine", "routerDomains", "routerUrl", "routerRuleCustom"];

const labelOf = ({ spec }: PolicyFamily) => sql.ref(columnOf(spec.label));

/** Rows of other families that name one of these. */
const usesOf = (name: string, ids: readonly number[]): RawBuilder<Use>[] =>
  policyFamilies
    .filter((other) => !entries.includes(other.name))
    .flatMap((other) =>
      Object.entries(other.spec.references ?? {})
        .filter(([, target]) => target === name)
        .map(
          ([field]) => sql<Use>`
            (select ${other.name} as family, ${labelOf(other)} as name
            from ${sql.table(tableOf(other.name))}
            where ${sql.ref(columnOf(field))} = any(${[...ids]}::bigint[]) limit 1)`,
        ),
    );

/** Application groups name protocols inside a list, which no key guards. */
const groupsWith = (ids: readonly number[]): RawBuilder<Use> => sql<Use>`
  (select 'routerAppgroup' as family, name from router_app_group
  where l7ids && ${ids.map(ownApplicationId)}::bigint[] limit 1)`;

/**
 * Refuses the removal of rows that others still name, and says which. The keys of the tables refuse
 * it as well; they know the family only.
 */
export async function refuseUsed(
  ctx: Context,
  { name }: PolicyFamily,
  ids: readonly number[],
): Promise<void> {
  const isProtocol = name === "routerProtocolex";
  if (isProtocol) {
    // An application group that is being written holds a share of its protocols (knownProtocols).
    await sql`select id from router_protocol where id = any(${[...ids]}::bigint[]) order by id
      for update`.execute(ctx.db);
  }
  const uses = [...usesOf(name, ids), ...(isProtocol ? [groupsWith(ids)] : [])];
  if (uses.length === 0) return;
  const selected = await sql<Use>`
    select family, name from (${sql.join(uses, sql` union all `)}) as used limit 1`.execute(ctx.db);
  const [use] = selected.rows;
  if (!use) return;
  const title = policyFamilies.find((policyFamily) => policyFamily.name === use.family)?.spec
    .title ?? ["", ""];
  refuse("inUse", { by: [`${title[0]}“${use.name}”`, `${title[1]} "${use.name}"`] });
}
