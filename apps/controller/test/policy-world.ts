/** Owners and rows of policy objects, made through the API, for the batteries of both scopes. */
import { allResources } from "@weft/contract/all-endpoints.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { type PolicyRefs, policySamples } from "@weft/contract/domains/policies/policy-samples.ts";
import type {
  PolicyFamily,
  PolicyScope,
  ScopedPolicy,
} from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { z } from "zod";
import type { TestApi } from "./api.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

/** Input fields that name whose rows are meant: `{templateId: 3}`. */
export type OwnerInput = Readonly<Record<string, number>>;

let made = 0;
/** A name that no row has yet. */
export const newName = (): string => {
  made += 1;
  return `row-${made}`;
};

/** A router template of the caller's enterprise. */
export async function makeTemplate(api: TestApi, token: string): Promise<number> {
  const draft = wireDraft("routerTemplate", "valid", { groupid: 0, cpeId: 0, popId: 0 });
  const { path } = allResources.routerTemplate.ops.add;
  return newIdOf(await api.post(path, { ...draft, templateName: newName() }, token));
}

/** Wire form of a family's draft in a scope. */
export function policyDraft(
  family: PolicyFamily,
  scope: PolicyScope,
  owner: OwnerInput,
  refs: PolicyRefs,
  replaced: object = {},
): Record<string, unknown> {
  const sample = policySamples[family.name];
  if (!sample) throw new Error(`${family.name} has no sample`);
  const memory = { cpeId: null, popId: null, ...sample.valid(refs, newName()), ...owner };
  const draft = (family[scope].resource as AnyResource).draft as z.ZodObject;
  const own = Object.fromEntries(Object.entries(memory).filter(([name]) => name in draft.shape));
  return { ...z.encode(draft, { ...own, ...replaced } as never) };
}

/** Fields of a list that has the row, whatever its kind. */
export const listPath = ({ resource, lists }: ScopedPolicy, row: object): string => {
  const { kind } = row as { kind?: string };
  const list = kind === undefined ? undefined : lists[kind];
  return (list ?? (resource as AnyResource).ops.list).path;
};

async function firstAdded(
  api: TestApi,
  tokens: readonly string[],
  path: string,
  draft: object,
): Promise<number> {
  const [token = "", ...others] = tokens;
  const answer = await api.post(path, draft, token);
  return answer.code === 0 || others.length === 0
    ? newIdOf(answer)
    : firstAdded(api, others, path, draft);
}

/**
 * One row of every family with this owner: family -> id.
 * @param tokens tried in this order: what the first may not make, the next one makes.
 */
export async function makePolicyRows(
  api: TestApi,
  tokens: readonly string[],
  scope: PolicyScope,
  owner: OwnerInput,
): Promise<PolicyRefs> {
  const refs: Record<string, number> = {};
  for (const family of policyFamilies) {
    const { resource } = family[scope];
    if (!resource.verbs.includes("add")) {
      const path = listPath(family[scope], {});
      const answer = await api.get(path, owner, tokens.at(-1) ?? "");
      refs[family.name] = (answer.data as { id: number }[])[0]?.id ?? 0;
      continue;
    }
    const draft = policyDraft(family, scope, owner, refs);
    refs[family.name] = await firstAdded(api, tokens, resource.ops.add.path, draft);
  }
  return refs;
}
