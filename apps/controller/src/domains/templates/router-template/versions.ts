/** Versions of a template: listed, compared, and restored (docs/adr/0031-template-versions.md). */
import type { ObjectDifference } from "@weft/contract/domains/delivery/history.ts";
import type { RolloutState } from "@weft/contract/domains/templates/rollout.ts";
import {
  maxComparedObjects,
  type routerTemplateVersionCompare,
  type routerTemplateVersionList,
  type routerTemplateVersionRestore,
  type TemplateVersionRow,
} from "@weft/contract/domains/templates/template-version.ts";
import type { InputOf, OutputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { policyDifferences, policyRowsOf } from "#domains/policies/merged/public.ts";
import { isConfirmed } from "#domains/policies/policy-finding/public.ts";
import type { StoredPolicy } from "#domains/policies/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { contentOf, fingerprintOf } from "./content.ts";
import { replaceDraft } from "./replace-draft.ts";
import { lockTemplate, requireTemplate, type TemplateRow } from "./store.ts";

interface Listed {
  readonly version: number;
  readonly content: StoredPolicy;
  readonly created_at: Date;
  readonly login_name: string | null;
  readonly state: RolloutState | null;
  readonly is_bad: boolean | null;
  readonly same_as: number | null;
  readonly cpes: number;
  readonly acts: number;
  readonly all: number;
}

/** Published versions, the newest first. CPEs are counted as far as the caller sees them. */
export async function listVersions(
  ctx: Context,
  { templateId, page, limit }: InputOf<typeof routerTemplateVersionList>,
): Promise<ResultOf<typeof routerTemplateVersionList>> {
  await requireTemplate(ctx, templateId);
  const { rows } = await sql<Listed>`
    with listed as (
      select v.*, count(*) over ()::int as all from router_template_version v
      where v.template_id = ${templateId} order by v.version desc
      limit ${limit} offset ${(page - 1) * limit}
    ), followed as (
      select m.version, count(*)::int as cpes, count(*) filter (where ${isConfirmed})::int as acts
      from router_template_node m join node n on n.id = m.node_id
      where m.template_id = ${templateId} and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
      group by m.version
    )
    select l.version, l.content, l.created_at, l.all, u.login_name, r.state, r.is_bad,
      (select min(e.version) from router_template_version e
        where e.template_id = l.template_id and e.version < l.version and e.content = l.content)
        as same_as,
      coalesce(f.cpes, 0) as cpes, coalesce(f.acts, 0) as acts
    from listed l
    left join followed f on f.version = l.version
    left join sys_user u on u.id = l.created_by
    left join template_rollout r on r.template_id = l.template_id and r.version = l.version
    order by l.version desc`.execute(ctx.db);
  return { rows: rows.map(toRow), count: rows[0]?.all ?? 0 };
}

const toRow = (row: Listed): TemplateVersionRow => {
  // What is set of it: ports that every template has from the start are no content.
  const objects = policyDifferences({}, policyRowsOf(row.content));
  const families = [...Map.groupBy(objects, ({ kind }) => kind)].map(([family, some]) => ({
    family,
    count: some.length,
  }));
  return {
    version: row.version,
    createTime: row.created_at,
    createBy: row.login_name,
    objects: objects.length,
    families,
    cpes: row.cpes,
    acts: row.acts,
    rolloutState: row.state,
    isBad: row.is_bad ?? false,
    sameAs: row.same_as,
  };
};

const between = (from: StoredPolicy, to: StoredPolicy): ObjectDifference[] =>
  policyDifferences(policyRowsOf(from), policyRowsOf(to));

/** What lies between two versions, or between one and the draft. */
export async function compareVersions(
  ctx: Context,
  { templateId, from, to }: InputOf<typeof routerTemplateVersionCompare>,
): Promise<OutputOf<typeof routerTemplateVersionCompare>> {
  await requireTemplate(ctx, templateId);
  const [old, now, draft] = await Promise.all([
    contentOf(ctx, templateId, from, "from"),
    contentOf(ctx, templateId, to, "to"),
    contentOf(ctx, templateId, null),
  ]);
  const objects = between(old, now);
  return {
    from,
    to,
    objects: objects.slice(0, maxComparedObjects),
    count: objects.length,
    draft: fingerprintOf(draft),
  };
}

/**
 * Puts the contents of a version in place of the draft.
 * @returns how many objects changed
 * @throws Refusal `conflict` when the draft is not what the caller saw
 */
export async function restoreDraft(
  ctx: Context,
  { templateId, version, draft }: InputOf<typeof routerTemplateVersionRestore>,
): Promise<{ readonly template: TemplateRow; readonly changes: number }> {
  const template = await lockTemplate(ctx, templateId);
  const content = await contentOf(ctx, templateId, version, "version");
  const replaced = await replaceDraft(ctx, template, content, version);
  // What was deleted cannot be changed any more: before, another user might have changed it in between.
  if (draft !== null && fingerprintOf(replaced) !== draft) refuse("conflict");
  return { template, changes: between(replaced, content).length };
}
