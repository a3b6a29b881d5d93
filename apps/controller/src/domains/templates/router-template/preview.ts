/** What an issue would come to, before it goes out. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { ObjectDifference } from "@weft/contract/domains/delivery/history.ts";
import {
  maxPreviewObjects,
  type routerTemplatePreview,
} from "@weft/contract/domains/templates/router-template.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type Pools, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { type NodePreview, previewNode } from "#domains/delivery/publish/public.ts";
import { policyDifferences, policyRowsOf } from "#domains/policies/merged/public.ts";
import type { StoredPolicy } from "#domains/policies/schema.ts";
import type { Context } from "#kernel/api.ts";
import { redact } from "#kernel/audit.ts";
import { contentOf } from "./content.ts";
import { requireAllInScope } from "./members.ts";
import { requireTemplate } from "./store.ts";

type Preview = OutputOf<typeof routerTemplatePreview>;
type Group = Preview["groups"][number];

/** What the template holds now, or held in a past version, and one page of its CPEs. Refuses as the issue itself does. */
export async function readIssue(
  ctx: Context,
  { templateId, fromVersion, page, limit }: InputOf<typeof routerTemplatePreview>,
) {
  const template = await requireTemplate(ctx, templateId);
  const members = await requireAllInScope(ctx, [templateId]);
  const nodeIds = members.slice((page - 1) * limit, page * limit).map(({ node_id }) => node_id);
  const content = await contentOf(ctx, templateId, fromVersion);
  const next = { templateId, version: template.version + 1, content };
  return { next, nodeIds, members: members.length, names: await namesOf(ctx, nodeIds) };
}

/** Compiles it against those CPEs, and puts together those for which it comes to the same. */
export async function previewIssue(
  pools: Pools<Database>,
  { next, nodeIds, members, names }: Awaited<ReturnType<typeof readIssue>>,
): Promise<Preview> {
  const { content } = next;
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  const groups = new Map<string, Group>();
  await scopedSnapshot(pools.worker, scope, async (trx) => {
    const differenceFrom = policyDifferencesTo(content);
    for (const id of nodeIds) {
      const nodePreview = await previewNode(trx, id, next);
      if (!nodePreview) continue;
      const cpe = { id, name: names.get(id) ?? "" };
      const effect = effectOf(nodePreview, differenceFrom(nodePreview.followed));
      const key = createHash("sha256").update(canonicalJson(effect)).digest("hex");
      const group = groups.get(key);
      groups.set(key, { key, ...effect, cpes: [...(group?.cpes ?? []), cpe] });
    }
  });
  const objects = Object.values(content).reduce((sum, rows) => sum + rows.length, 0);
  return { version: next.version, cpes: members, objects, groups: [...groups.values()] };
}

async function namesOf(ctx: Context, ids: readonly number[]) {
  const rows = await ctx.db
    .selectFrom("node")
    .select(["id", "name"])
    .where("id", "in", [0, ...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** CPEs of one template mostly follow one version: its rows are compared once. */
function policyDifferencesTo(content: StoredPolicy) {
  const known = new Map<string, ObjectDifference[]>();
  const now = policyRowsOf(content);
  return (followed: NodePreview["followed"]): ObjectDifference[] => {
    const key = followed ? `${followed.templateId} ${followed.version}` : "";
    const found = known.get(key) ?? policyDifferences(policyRowsOf(followed?.content ?? {}), now);
    known.set(key, found);
    return found;
  };
}

function effectOf(
  { unmet, isKnown, objects, failure }: NodePreview,
  ofPolicy: readonly ObjectDifference[],
): Omit<Group, "key" | "cpes"> {
  const shown = (field: string, value: unknown): unknown =>
    (redact({ [field]: value }) as Record<string, unknown>)[field];
  const ofState = objects.map(
    (difference): ObjectDifference => ({
      ...difference,
      spaceName: "",
      fields: difference.fields.map(({ field, old, new: now }) => ({
        field,
        old: shown(field, old),
        new: shown(field, now),
      })),
    }),
  );
  const all = [...ofPolicy, ...ofState];
  return {
    isKnown,
    failure,
    count: all.length,
    differences: all.slice(0, maxPreviewObjects),
    unmet: unmet?.count ?? 0,
    cannot: unmet?.cannot ?? 0,
    findings: [...(unmet?.rows ?? [])],
  };
}
