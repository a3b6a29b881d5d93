import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { PolicyFinding } from "./findings.ts";

type Trx = Transaction<Database>;

interface About {
  readonly nodeId: number;
  readonly enterpriseId: number;
  /** The version of its template that the node follows; null: none. */
  readonly template: { readonly templateId: number; readonly version: number } | null;
}

type Sayable = { readonly [Name in "effect" | "reason" | "name"]: string } & {
  readonly params: object;
  readonly denies: boolean;
};

/** What two findings of one object have in common when nothing became of it meanwhile. */
const textOf = ({ effect, reason, name, params, denies }: Sayable): string =>
  canonicalJson([effect, reason, name, params, denies]);
const keyOf = (family: string, level: string, id: number): string => `${family} ${level} ${id}`;

/** Keeps what a compile found; rows that say the same as before stay what they are. */
export async function writePolicyFindings(
  trx: Trx,
  { nodeId, enterpriseId, template }: About,
  findings: readonly PolicyFinding[],
): Promise<void> {
  const stored = await trx
    .selectFrom("policy_finding")
    .selectAll()
    .where("node_id", "=", nodeId)
    .execute();
  const old = new Map(stored.map((row) => [keyOf(row.family, row.level, row.object_id), row]));
  const versionOf = ({ level }: Pick<PolicyFinding, "level">) =>
    level === "template" ? (template?.version ?? null) : null;
  const isSame = (one: PolicyFinding, row: Selectable<Database["policy_finding"]> | undefined) =>
    row !== undefined &&
    textOf(one) === textOf(row) &&
    row.template_id === (one.level === "template" ? template?.templateId : null) &&
    row.template_version === versionOf(one);
  const changed = findings.filter(
    (one) => !isSame(one, old.get(keyOf(one.family, one.level, one.objectId))),
  );
  const now = new Set(findings.map((one) => keyOf(one.family, one.level, one.objectId)));
  const gone = stored.filter((row) => !now.has(keyOf(row.family, row.level, row.object_id)));
  await remove(trx, nodeId, gone);
  if (changed.length === 0) return;
  const rows = changed.map((one) => ({
    node_id: nodeId,
    enterprise_id: enterpriseId,
    family: one.family,
    level: one.level,
    object_id: one.objectId,
    name: one.name,
    effect: one.effect,
    reason: one.reason,
    params: one.params,
    denies: one.denies,
    template_id: one.level === "template" ? (template?.templateId ?? null) : null,
    template_version: versionOf(one),
  }));
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

async function remove(
  trx: Trx,
  nodeId: number,
  rows: readonly Selectable<Database["policy_finding"]>[],
): Promise<void> {
  if (rows.length === 0) return;
  const gone = rows.map(({ family, level, object_id }) => ({ family, level, object_id }));
  await sql`
    delete from policy_finding f using jsonb_to_recordset(${JSON.stringify(gone)}::jsonb)
      as g (family text, level text, object_id bigint)
    where f.node_id = ${nodeId} and f.family = g.family and f.level = g.level
      and f.object_id = g.object_id`.execute(trx);
}
