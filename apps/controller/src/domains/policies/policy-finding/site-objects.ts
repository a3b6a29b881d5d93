/**
 * Rules of a site that are no family of policy objects, and are on although nothing carries them out, or only in part:
 * entries of the blacklist that name a domain or a URL, and ACL rules while the ACL is off.
 */
import { acts } from "@weft/contract/effects.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { PolicyFinding } from "./findings.ts";
import { sentNames, tooManyNames } from "./site-names.ts";
import type { PolicyGround } from "./verdict.ts";

export interface SiteObject {
  readonly family: "xaclrules" | "blacklist";
  readonly id: number;
  readonly name: string;
  /** Of a blacklist entry; null: an ACL rule. */
  readonly type: string | null;
}

/** Reads them in the caller's transaction, whose scope must hold the node's enterprise. */
export async function readSiteObjects(
  trx: Transaction<Database>,
  nodeId: number,
): Promise<SiteObject[]> {
  const { rows } = await sql<SiteObject>`
    select 'xaclrules' as family, a.id, a.name, null as type
    from acl_rule a join node_config c on c.node_id = a.node_id
    where a.node_id = ${nodeId} and a.enabled and c.items ->> 'nXACLEnabled' = '0'
    union all
    select 'blacklist', b.id, b.value, b.type from blacklist b join node n on n.id = ${nodeId}
    where b.enabled and b.type not in ('ip', 'mac') and n.kind = 'cpe' and (
      exists (select from blacklist_node x where x.owner_id = b.id and x.node_id = n.id)
      or b.enterprise_id = n.enterprise_id
        and not exists (select from blacklist_node x where x.owner_id = b.id))
    order by family, id`.execute(trx);
  return rows;
}

/** What does not act of them; those that a device carries out have no entry. Pure. */
export const siteFindings = (
  objects: readonly SiteObject[],
  { capabilities }: Pick<PolicyGround, "capabilities">,
): PolicyFinding[] => {
  const sent = new Set(
    sentNames(objects.flatMap(({ type, name }) => (type === "domain" ? name : []))),
  );
  return objects.flatMap(({ family, id, name, type }): PolicyFinding[] => {
    const about = { family, objectId: id, name, effect: "cannot", params: {} } as const;
    // Switching the ACL off is meant: it raises no alarm about each of its rules.
    if (type === null) return [{ ...about, level: "node", reason: "aclOff", denies: false }];
    if (capabilities === null) return [];
    const isActing = acts(`blacklist.type.${type}`, capabilities);
    if (isActing && type === "domain" && !sent.has(name.toLowerCase()))
      return [{ ...about, level: "enterprise", denies: true, ...tooManyNames }];
    if (isActing)
      return [
        { ...about, level: "enterprise", effect: "fallback", reason: "dnsOnly", denies: true },
      ];
    return [{ ...about, level: "enterprise", reason: "notCarriedOut", denies: true }];
  });
};
