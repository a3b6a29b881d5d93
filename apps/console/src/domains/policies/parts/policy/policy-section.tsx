import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { templateCapabilities } from "@weft/contract/domains/policies/policy-finding.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { useMemo } from "react";
import { useCall } from "#client/use-call.ts";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Loading } from "#feedback/empty-state.tsx";
import type { PolicyOwner } from "./choices.ts";
import type { PolicyPart } from "./policy-part.ts";
import { PolicyTable } from "./policy-table.tsx";
import { type PolicySectionKey, policySections } from "./sections.ts";

/** What the devices of a template, or the device of a node, can; null: not known yet. */
function useCapabilities(owner: PolicyOwner): readonly string[] | null {
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

/** The tables of one section, one under the other. */
export function PolicySection(props: {
  readonly section: PolicySectionKey;
  readonly owner: PolicyOwner;
  /** Whose owner it is decides who may write. */
  readonly may: Permission;
}) {
  const parts: readonly PolicyPart[] = policySections[props.section];
  const capabilities = useCapabilities(props.owner);
  // Whether a family acts is known before its table is there: the note about it must not move the rows.
  if (capabilities === null) return <Loading rows={4} />;
  return (
    <CapabilitiesProvider capabilities={capabilities}>
      {parts.map((part, place) => (
        <PolicyTable
          key={`${part.family.name}-${part.kind ?? ""}`}
          part={part}
          owner={props.owner}
          may={props.may}
          isMain={place === 0}
        />
      ))}
    </CapabilitiesProvider>
  );
}
