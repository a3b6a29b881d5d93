import type { InitialPolicy } from "@weft/contract/domains/policies/policy.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { applications, ownApplicationId, ownHeading } from "@weft/contract/rules/applications.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { isOwnedBy, type NamedOwner, requireOwner } from "#kernel/row-owner.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { columnOf, tableOf } from "./columns.ts";

type TreeNode = InitialPolicy["protocols"][number];

interface OwnProtocol {
  readonly id: number;
  readonly n_pid: number;
  readonly name: string;
}

const treeOf = (ctx: Context, ownProtocols: readonly OwnProtocol[]): TreeNode[] => {
  const { language } = ctx.caller;
  const known = [...applications, ownHeading].map(({ id, pId, name }) => ({
    id,
    pId,
    name: formatMessage(name, language),
  }));
  const added = ownProtocols.map(({ id, n_pid, name }) => ({
    id: ownApplicationId(id),
    pId: n_pid === 0 ? ownHeading.id : n_pid,
    name,
  }));
  return [...known, ...added];
};

/** The catalogue of application protocols and the owner's own ones, flat (section 3). */
export async function protocolTree(ctx: Context, owner: NamedOwner): Promise<TreeNode[]> {
  const selected = await sql<OwnProtocol>`
    select id, n_pid, name from router_protocol
    where ${isOwnedBy(owner)} and ${inCallerScope(ctx, "enterprise_id", "created_by")}
    order by sort, id`.execute(ctx.db);
  return treeOf(ctx, selected.rows);
}

/** Choice of initial data -> the family whose rows it lists. */
const families = {
  lines: "routerInterfaceline",
  interfaces: "routerInterface",
  times: "routerTimenode",
  ipGroups: "routerIpgroup",
  dnsGroups: "routerDnsgroup",
  domains: "routerDomains",
  urlGroups: "routerUrlgroup",
  appGroups: "routerAppgroup",
  pipes: "routerBandwidthpipe",
} as const satisfies Partial<Record<keyof InitialPolicy, string>>;
type Choice = keyof typeof families;

/** Everything that the policy forms of a node offer to choose from, read at once. */
export async function initialPolicy(ctx: Context, owner: NamedOwner): Promise<InitialPolicy> {
  const parts = Object.entries(families).map(
    ([choice, family]) => sql`
      (select ${choice} as choice, id, ${sql.ref(columnOf(policyFamily(family).spec.label))} as name
      from ${sql.table(tableOf(family))}
      where ${isOwnedBy(owner)} and ${inCallerScope(ctx, "enterprise_id", "created_by")})`,
  );
  const [, selected, protocols] = await Promise.all([
    requireOwner(ctx, owner),
    sql<{ choice: Choice; id: number; name: string }>`
      ${sql.join(parts, sql` union all `)} order by name, id`.execute(ctx.db),
    protocolTree(ctx, owner),
  ]);
  const of = (choice: Choice) =>
    selected.rows.filter((row) => row.choice === choice).map(({ id, name }) => ({ id, name }));
  return {
    lines: of("lines"),
    interfaces: of("interfaces"),
    times: of("times"),
    ipGroups: of("ipGroups"),
    dnsGroups: of("dnsGroups"),
    domains: of("domains"),
    urlGroups: of("urlGroups"),
    appGroups: of("appGroups"),
    pipes: of("pipes"),
    protocols,
  };
}
