/** The policy objects' part of the tenancy matrix: which field names which row, own drafts, order. */

import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyScope } from "@weft/contract/kernel/policy-family.ts";
import type { TestApi } from "./api.ts";
import { makePolicyRows, policyDraft } from "./policy-world.ts";

/** The row of a family in one of its scopes. */
export type PolicyKind = `policy:${string}`;

const scopeOf = (call: string): PolicyScope => (call.includes(".manage.") ? "manage" : "template");
const familyOf = (call: string) => policyFamilies.find(({ name }) => name === call.split(".")[0]);
const kind = (family: string, scope: PolicyScope): PolicyKind => `policy:${scope}:${family}`;

/** Whose findings the matrix asks for. */
export const queriedFamily = "routerConnlimit";

/** What a field of a policy call names; null: it is no such call, or the field names none. */
export function policyKind(call: string, field: string): PolicyKind | null {
  if (call.startsWith("policyFinding.") && field === "ids")
    return kind(queriedFamily, scopeOf(call));
  if (call.startsWith("policyHits.") && ["id", "ids"].includes(field))
    return kind(queriedFamily, "manage");
  const family = familyOf(call);
  if (!family) return null;
  if (field === "id" || field === "ids") return kind(family.name, scopeOf(call));
  const target = family.spec.references?.[field];
  return target === undefined ? null : kind(target, scopeOf(call));
}

/** A row of every family in the own template, and on the own CPE. */
export async function policyRows(
  api: TestApi,
  tokens: readonly string[],
  { routerTemplate = 0, cpe = 0 }: Readonly<Record<string, number>>,
): Promise<Record<string, number>> {
  const held = { template: { templateId: routerTemplate }, manage: { cpeId: cpe } };
  const rows: Record<string, number> = {};
  for (const scope of ["template", "manage"] as const) {
    const refs = await makePolicyRows(api, tokens, scope, held[scope]);
    for (const [family, id] of Object.entries(refs)) rows[kind(family, scope)] = id;
  }
  return rows;
}

/** The draft of an add or edit with own rows in it; empty for another call. */
export function ownPolicyDraft(
  call: string,
  own: Readonly<Record<string, number>>,
): Record<string, unknown> {
  const family = familyOf(call);
  const verb = call.split(".").at(-1) ?? "";
  if (!family || !["add", "edit", "update"].includes(verb)) return {};
  const scope = scopeOf(call);
  const refs = Object.fromEntries(
    policyFamilies.map(({ name }) => [name, own[kind(name, scope)] ?? 0]),
  );
  const owner =
    scope === "template" ? { templateId: own.routerTemplate ?? 0 } : { cpeId: own.cpe ?? 0 };
  return policyDraft(family, scope, owner, refs);
}

/** What refers to others goes first; between 0 and 1. */
export function policyRemovalTurn(call: string): number | null {
  const place = policyFamilies.findIndex(({ name }) => name === call.split(".")[0]);
  return place < 0 ? null : 1 - place / policyFamilies.length;
}
