import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { templateCapabilities } from "@weft/contract/domains/policies/policy-finding.ts";
import { useMemo } from "react";
import { useCall } from "#client/use-call.ts";
import type { PolicyOwner } from "./choices.ts";

/** What the devices of a template, or the device of a node, can; null: not known yet. */
export function useCapabilities(owner: PolicyOwner): readonly string[] | null {
  const templateId = owner.templateId ?? null;
  const id = owner.cpeId ?? owner.popId ?? null;
  const ofTemplate = useCall(templateCapabilities, templateId === null ? null : { templateId });
  const ofNode = useCall(nodeState, id === null ? null : { id });
  const result = templateId === null ? ofNode : ofTemplate;
  const { data, error } = result;
  return useMemo(() => {
    if (data === undefined) return error ? [] : null;
    if (!("capabilities" in data)) return data;
    return data.capabilities.filter(({ can }) => can).map(({ name }) => name);
  }, [data, error]);
}
