/** What of a site's own settings goes into its state: who may pass the device, and when it restarts. */
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import type { SystemSection } from "@weft/contract/device/v1/node.ts";
import { type AclFamily, aclCountsCapability } from "@weft/contract/device/v1/policy.ts";
import type { DriftPolicy } from "@weft/contract/domains/devices/enums.ts";
import type { AclProtocol, DnsEntryType } from "@weft/contract/domains/devices/settings-enums.ts";
import { networkOf, prefixText } from "@weft/contract/rules/address.ts";
import { isDailySchedule } from "@weft/contract/rules/schedule.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { blockedAt } from "#domains/policies/policy-finding/public.ts";

export interface SiteRule {
  readonly section: number;
  readonly sort: number;
  readonly id: number;
  readonly name: string;
  readonly allow: boolean;
  readonly protocol: AclProtocol;
  readonly source: string | null;
  readonly target: string | null;
  readonly sourcePort: string | null;
  readonly targetPort: string | null;
}

/** A name, and what it stands for or the server that knows it. */
export interface SiteName {
  readonly type: DnsEntryType;
  readonly domain: string;
  readonly address: string;
}

/** An address that a host always gets. */
export interface SiteReservation {
  readonly id: number;
  /** Set for the node itself; false: for the other device of its standby group, and both keep it. */
  readonly isOwn: boolean;
  readonly mac: string;
  readonly address: string;
  /** What the host is called; null: as it calls itself. */
  readonly name: string | null;
}

export interface ViewSite {
  /** Enabled rules; none while the ACL is switched off. */
  readonly rules: readonly SiteRule[];
  /** Networks and MAC addresses that nothing goes to or comes from. */
  readonly blocked: readonly {
    readonly id: number;
    readonly type: "ip" | "mac";
    readonly value: string;
  }[];
  /** Enabled entries of its resolver. Absent: none. */
  readonly names?: readonly SiteName[];
  /** Names of the blacklist. Absent: none. */
  readonly deniedNames?: readonly string[];
  /** URLs of the blacklist. Absent: none. */
  readonly deniedUrls?: readonly string[];
  /** Absent: none. */
  readonly reservations?: readonly SiteReservation[];
  /** The device gives hosts of its LANs addresses; absent: no. */
  readonly givesAddresses?: boolean;
  /** `minute hour * * *` or `close`. */
  readonly restart: string;
  /** False: no bytes of its lines and links are recorded; absent: they are. */
  readonly recordsBytes?: boolean;
  /** Flows of its hosts are recorded; absent: they are not. */
  readonly recordsFlows?: boolean;
  /** Null: not set, and the device corrects what was changed on it. */
  readonly drift: DriftPolicy | null;
}

const rule = (given: Partial<AclRuleState>): AclRuleState => ({
  action: "drop",
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  mac: null,
  ...given,
});

const compareText = (text: string, other: string): number =>
  text < other ? -1 : text > other ? 1 : 0;

/** A single address is a network of its own. */
const toNetwork = (value: string): string => networkOf(prefixText(value));

/** Whether a device counts what ACL rules fit: an edge that cannot would refuse the field. */
export const countsAcl = (
  capabilities: readonly { readonly name: string; readonly can: boolean }[] | null | undefined,
): boolean => capabilities?.some(({ name, can }) => can && name === aclCountsCapability) ?? false;

/**
 * What is blocked comes first, then the rules by section, order and age. Pure.
 * @param isCounted the device counts what rules fit by their objects
 */
export function aclOf({ rules, blocked }: ViewSite, isCounted = false): AclRuleState[] {
  const of = (family: AclFamily, id: number) => (isCounted ? { object: { family, id } } : {});
  const denied = blocked
    .toSorted((a, b) => compareText(a.type, b.type) || compareText(a.value, b.value) || a.id - b.id)
    .flatMap(({ id, type, value }) => {
      const object = of("blacklist", id);
      return type === "mac"
        ? [rule({ mac: value.toLowerCase().replaceAll("-", ":"), ...object })]
        : [
            rule({ source: toNetwork(value), ...object }),
            rule({ target: toNetwork(value), ...object }),
          ];
    });
  const ordered = rules.toSorted((a, b) => a.section - b.section || a.sort - b.sort || a.id - b.id);
  const written = ordered.map(({ id, allow, protocol, source, target, sourcePort, targetPort }) =>
    rule({
      action: allow ? "accept" : "drop",
      protocol,
      source: source === null ? null : networkOf(source),
      target: target === null ? null : networkOf(target),
      sourcePort,
      targetPort,
      ...of("xaclrules", id),
    }),
  );
  return [...denied, ...written];
}

/**
 * Null: nothing of it is set, and the state says nothing about it. Pure.
 * @param canOmitBytes the device reads that it is to report no bytes
 * @param canRecordFlows it reports flows of its hosts
 */
export function systemOf(
  { restart, drift, recordsBytes = true, recordsFlows = false }: ViewSite,
  canOmitBytes = false,
  canRecordFlows = false,
): SystemSection | null {
  const isDaily = restart !== "close" && isDailySchedule(restart);
  const omitsBytes = canOmitBytes && !recordsBytes;
  const reportsFlows = canRecordFlows && recordsFlows;
  if (!isDaily && drift === null && !omitsBytes && !reportsFlows) return null;
  const [minute = 0, hour = 0] = restart.split(" ").map(Number);
  return {
    restartAt: isDaily ? { hour, minute } : null,
    ...(drift && { drift }),
    ...(omitsBytes && { byteRecords: false as const }),
    ...(reportsFlows && { flowRecords: true as const }),
  };
}

interface Found {
  readonly node: number;
  readonly restart: string | null;
  readonly drift: DriftPolicy | null;
  readonly rules: readonly SiteRule[];
  readonly blocked: ViewSite["blocked"];
  readonly names: readonly SiteName[];
  readonly deniedNames: readonly string[];
  readonly deniedUrls: readonly string[];
  readonly reservations: readonly SiteReservation[];
  readonly givesAddresses: boolean;
  readonly recordsBytes: boolean;
  readonly recordsFlows: boolean;
}

/** Settings of a site of which nothing is set. */
const unset: ViewSite = {
  rules: [],
  blocked: [],
  restart: "close",
  drift: null,
  names: [],
  deniedNames: [],
  deniedUrls: [],
  reservations: [],
  givesAddresses: false,
};

/** Reads those of each node in the caller's transaction, whose scope must hold the nodes' enterprises. */
export async function readSites(
  trx: Transaction<Database>,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, ViewSite>> {
  const nodes = sql`any(${[...nodeIds]}::bigint[])`;
  const { rows } = await sql<Found>`
    with blocked as (${blockedAt(nodes)}), denied as (
      select node,
        coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'value', value))
          filter (where type in ('ip', 'mac')), '[]') as entries,
        coalesce(jsonb_agg(value) filter (where type = 'domain'), '[]') as names,
        coalesce(jsonb_agg(value) filter (where type = 'url'), '[]') as urls
      from blocked group by node
    )
    select n.id as node, c.items ->> 'szCrontab' as restart, c.items ->> 'driftPolicy' as drift,
      case when coalesce(c.items ->> 'nXACLEnabled', '1') = '1' then (
        select coalesce(jsonb_agg(jsonb_build_object('section', a.section, 'sort', a.sort,
          'id', a.id, 'name', a.name, 'allow', a.action = 1, 'protocol', a.protocol, 'source', a.src_ip,
          'target', a.dst_ip, 'sourcePort', a.src_port, 'targetPort', a.dst_port)), '[]')
        from acl_rule a where a.node_id = n.id and a.enabled) else '[]' end as rules,
      coalesce(denied.entries, '[]') as blocked,
      (select coalesce(jsonb_agg(jsonb_build_object('type', d.type, 'domain', d.domain,
        'address', d.address)), '[]')
        from dns_entry d where d.node_id = n.id and d.enabled) as names,
      coalesce(denied.names, '[]') as "deniedNames", coalesce(denied.urls, '[]') as "deniedUrls",
      (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'isOwn', r.node_id = n.id, 'mac', r.mac,
        'address', r.address, 'name', r.host_name)), '[]')
        from dhcp_reservation r where r.node_id = any (weft.standby_pair(n.id))) as reservations,
      -- Beside the site's own gateway it is that one's business.
      n.kind = 'cpe' and n.x_mode = 0 and coalesce(c.items ->> 'nDynamicdhcp' = '1', false)
        as "givesAddresses",
      -- Kept unless it is turned off (the form's own value, node-config/store.ts).
      coalesce(c.items ->> 'byteLog', '1') <> '0' as "recordsBytes",
      coalesce(c.items ->> 'auditLog', '0') <> '0' as "recordsFlows"
    from node n left join node_config c on c.node_id = n.id left join denied on denied.node = n.id
    where n.id = ${nodes}`.execute(trx);
  return new Map(
    rows.map(({ node, restart, ...found }) => [
      node,
      { ...unset, ...found, restart: restart ?? unset.restart },
    ]),
  );
}
