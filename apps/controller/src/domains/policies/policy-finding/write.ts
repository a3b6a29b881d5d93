import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { PolicyFinding } from "./findings.ts";

type Trx = Transaction<Database>;

/** What a compile found at a node. */
export interface NodeFindings {
  readonly nodeId: number;
  readonly enterpriseId: number;
  /** The version of its template that the node follows; null: none. */
  readonly template: { readonly templateId: number; readonly version: number } | null;
  readonly findings: readonly PolicyFinding[];
}

type FindingContent = { readonly [Name in "effect" | "reason" | "name"]: string } & {
  readonly params: object;
  readonly denies: boolean;
};

/** What two findings of one object have in common when nothing became of it meanwhile. */
const textOf = ({ effect, reason, name, params, denies }: FindingContent): string =>
  canonicalJson([effect, reason, name, params, denies]);
type Stored = Selectable<Database["policy_finding"]>;
const keyOf = (family: string, level: string, id: number): string => `${family} ${level} ${id}`;

/** Stores findings of compiles; unchanged rows are not written. */
export async function writePolicyFindings(trx: Trx, nodes: readonly NodeFindings[]): Promise<void> {
  if (nodes.length === 0) return;
  const stored = await trx
    .selectFrom("policy_finding")
    .selectAll()
    .where(sql<boolean>`node_id = any(${nodes.map(({ nodeId }) => nodeId)}::bigint[])`)
    .execute();
  const of = Map.groupBy(stored, ({ node_id }) => node_id);
  const changes = nodes.map((node) => changesAt(node, of.get(node.nodeId) ?? []));
  await remove(
    trx,
    changes.flatMap(({ gone }) => gone),
  );
  const rows = changes.flatMap(({ changed }) => changed);
  if (rows.length === 0) return;
  await sql`
    insert into policy_finding (node_id, enterprise_id, family, level, object_id, name, effect, reason,
      params, denies, template_id, template_version)
    select node_id, enterprise_id, family, level, object_id, name, effect, reason, params, denies,
      template_id, template_version
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (node_id bigint, enterprise_id bigint,
      family text, level text, object_id bigint, name text, effect text, reason text, params jsonb,
      denies boolean, template_id bigint, template_version integer)
    on conflict (node_id, family, level, object_id) do update set name = excluded.name,
      effect = excluded.effect, reason = excluded.reason, params = excluded.params,
      denies = excluded.denies,
      template_id = excluded.template_id, template_version = excluded.template_version,
      created_at = now()`.execute(trx);
}

/** Rows of a node that have to be written, and those that have to go. */
function changesAt(
  { nodeId, enterpriseId, template, findings }: NodeFindings,
  stored: readonly Stored[],
) {
  const old = new Map(stored.map((row) => [keyOf(row.family, row.level, row.object_id), row]));
  const versionOf = ({ level }: Pick<PolicyFinding, "level">) =>
    level === "template" ? (template?.version ?? null) : null;
  const isSame = (policyFinding: PolicyFinding, row: Stored | undefined) =>
    row !== undefined &&
    textOf(policyFinding) === textOf(row) &&
    row.template_id === (policyFinding.level === "template" ? template?.templateId : null) &&
    row.template_version === versionOf(policyFinding);
  const changed = findings.filter(
    (finding) => !isSame(finding, old.get(keyOf(finding.family, finding.level, finding.objectId))),
  );
  const now = new Set(
    findings.map((finding) => keyOf(finding.family, finding.level, finding.objectId)),
  );
  const gone = stored.filter((row) => !now.has(keyOf(row.family, row.level, row.object_id)));
  const rows = changed.map((policyFinding) => ({
    node_id: nodeId,
    enterprise_id: enterpriseId,
    family: policyFinding.family,
    level: policyFinding.level,
    object_id: policyFinding.objectId,
    name: policyFinding.name,
    effect: policyFinding.effect,
    reason: policyFinding.reason,
    params: policyFinding.params,
    denies: policyFinding.denies,
    template_id: policyFinding.level === "template" ? (template?.templateId ?? null) : null,
    template_version: versionOf(policyFinding),
  }));
  return { gone, changed: rows };
}

async function remove(trx: Trx, rows: readonly Stored[]): Promise<void> {
  if (rows.length === 0) return;
  const gone = rows.map(({ node_id, family, level, object_id }) => ({
    node_id,
    family,
    level,
    object_id,
  }));
  await sql`
    delete from policy_finding f using jsonb_to_recordset(${JSON.stringify(gone)}::jsonb)
      as g (node_id bigint, family text, level text, object_id bigint)
    where f.node_id = g.node_id and f.family = g.family and f.level = g.level
      and f.object_id = g.object_id`.execute(trx);
}
