import { allResources } from "@weft/contract/all-endpoints.ts";
import type { operaRecordModules } from "@weft/contract/domains/access/record.ts";
import { otherModules } from "@weft/contract/domains/access/record-modules.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { ResultOf } from "@weft/contract/kernel/endpoint.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { Context } from "#kernel/api.ts";
import { hiddenModules } from "./shown.ts";

const resources: readonly AnyResource[] = [
  ...Object.values(allResources),
  ...policyFamilies.flatMap(({ template, manage }) => [template.resource, manage.resource]),
];

/** Module -> what people call it. */
export const moduleTitles: ReadonlyMap<string, Message> = new Map<string, Message>([
  ...resources.map(({ name, title }) => [name, title] as const),
  ...Object.entries(otherModules),
]);

/** Modules that the caller's operation log can have rows of. */
export function listModules(ctx: Context): ResultOf<typeof operaRecordModules> {
  const hidden = new Set(hiddenModules(ctx));
  return [...moduleTitles]
    .filter(([module]) => !hidden.has(module))
    .map(([module, [zh, en]]) => ({ module, title: [zh, en] }));
}
