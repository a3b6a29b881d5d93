import type { Permission } from "@weft/contract/permissions.ts";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Loading } from "#feedback/empty-state.tsx";
import type { PolicyOwner } from "./choices.ts";
import type { PolicyPart } from "./policy-part.ts";
import { PolicyTable } from "./policy-table.tsx";
import { type PolicySectionKey, policySections } from "./sections.ts";
import { useCapabilities } from "./use-capabilities.ts";

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
