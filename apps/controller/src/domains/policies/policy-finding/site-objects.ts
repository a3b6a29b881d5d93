/**
 * Rules of a site that are no family of policy objects, and are on although nothing carries them out, or only in part:
 * entries of the blacklist that name a domain or a URL, and ACL rules while the ACL is off.
 */
import { acts } from "@weft/contract/effects.ts";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { PolicyFinding } from "./findings.ts";
import { sentHosts, sentNames, tooManyNames } from "./site-names.ts";
import { urlVerdict } from "./url-rules.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

export interface SiteObject {
  readonly family: "xaclrules" | "blacklist";
  readonly id: number;
  readonly name: string;
  /** Of a blacklist entry; null: an ACL rule. */
  readonly type: string | null;
}

/** Reads those of each node in the caller's transaction, whose scope must hold the nodes' enterprises. */
export async function readSiteObjects(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, readonly SiteObject[]>> {
  const nodes = sql`any(${[...nodeIds]}::bigint[])`;
  const { rows } = await sql<SiteObject & { readonly node: number }>`
    with blocked as (${blockedAt(nodes)})
    select a.node_id as node, 'xaclrules' as family, a.id, a.name, null as type
    from acl_rule a join node_config c on c.node_id = a.node_id
    where a.node_id = ${nodes} and a.enabled and c.items ->> 'nXACLEnabled' = '0'
    union all
    select b.node, 'blacklist', b.id, b.value, b.type from blocked b where b.type not in ('ip', 'mac')
    order by node, family, id`.execute(trx);
  const byNode = Map.groupBy(rows, ({ node }) => node);
  return new Map(
    [...byNode].map(([node, some]) => [node, some.map(({ node: _, ...object }) => object)]),
  );
}

/**
 * Statement giving entries of the blacklist with each CPE (`node`) that they are in force at.
 * @param nodes condition behind `=`
 */
export const blockedAt = (nodes: RawBuilder<unknown>) => sql`
  select t.node_id as node, b.* from blacklist_target t
    join blacklist b on b.id = t.entry_id and b.enabled
    where t.node_id = ${nodes}`;

/** How an entry that denies a name acts. @param sent names of its type that a device has room for */
const nameVerdict = ({ type, name }: SiteObject, sent: ReadonlySet<string>): Verdict => {
  // Its scheme is a part of every URL, and says nothing of what is meant.
  const url = type === "url" ? urlVerdict(name, false) : null;
  if (url?.effect === "cannot") return url;
  const isSent = sent.has(type === "url" ? sentHosts([name]).join() : name.toLowerCase());
  if (!isSent) return tooManyNames;
  return { effect: "fallback", reason: type === "url" ? "hostsByName" : "dnsOnly", params: {} };
};

/** What does not act of them, or not quite as it is meant; the others have no entry. Pure. */
export const siteFindings = (
  objects: readonly SiteObject[],
  { capabilities }: Pick<PolicyContext, "capabilities">,
): PolicyFinding[] => {
  const named = (wanted: string): string[] =>
    objects.flatMap(({ type, name }) => (type === wanted ? name : []));
  const sent = new Map([
    ["domain", new Set(sentNames(named("domain")))],
    ["url", new Set(sentHosts(named("url")))],
  ]);
  return objects.flatMap(({ family, id, name, type }): PolicyFinding[] => {
    const about = { family, objectId: id, name, effect: "cannot", params: {} } as const;
    // Switching the ACL off is meant: it raises no alarm about each of its rules.
    if (type === null) return [{ ...about, level: "node", reason: "aclOff", denies: false }];
    if (capabilities === null) return [];
    const verdict = acts(`blacklist.type.${type}`, capabilities)
      ? nameVerdict({ family, id, name, type }, sent.get(type) ?? new Set())
      : cannot("notCarriedOut");
    return [{ ...about, level: "enterprise", denies: true, ...verdict }];
  });
};
