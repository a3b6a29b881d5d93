/** What a template holds, and what its versions held. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { readStoredPolicies } from "#domains/policies/merged/public.ts";
import type { StoredPolicy } from "#domains/policies/schema.ts";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";

/**
 * The rows of a version, or of the draft (null) of a template that the caller may read.
 * @throws Refusal for a version that was never published
 */
export async function contentOf(
  ctx: Context,
  templateId: number,
  version: number | null,
  field = "fromVersion",
): Promise<StoredPolicy> {
  if (version === null) {
    const policies = await readStoredPolicies(ctx.db, "template_id", [templateId]);
    return policies.get(templateId) ?? {};
  }
  const row = await ctx.db
    .selectFrom("router_template_version")
    .select("content")
    .where("template_id", "=", templateId)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.content ?? refuseField(field, "unknown");
}

/** The same text for the same rows: whether a draft is still what its reader saw. */
export function fingerprintOf(content: StoredPolicy): string {
  const held = Object.entries(content).filter(([, rows]) => rows.length > 0);
  return createHash("sha256")
    .update(canonicalJson(Object.fromEntries(held)))
    .digest("hex");
}
