import type { Permission } from "@weft/contract/permissions.ts";
import { useTexts } from "#client/texts.ts";
import type { SettingsSection } from "#domains/devices/parts/node/node-settings.tsx";
import { sectionTitle, templateSections } from "#domains/templates/parts/template/sections.ts";
import { CarriedOutBy } from "#feedback/carried-out.tsx";
import { Loading } from "#feedback/empty-state.tsx";
import type { PolicyOwner } from "./choices.ts";
import { policyMessages } from "./messages.ts";
import { PolicyFindings, usePolicyFindings } from "./policy-findings.tsx";
import { PolicyTable } from "./policy-table.tsx";
import { type PolicyPart, type PolicySectionKey, policySections } from "./sections.ts";
import { useCapabilities } from "./use-capabilities.ts";

/** A node has lines and LANs of its own in place of a template's. */
const ofTemplates = new Set<string>(["interface", "wan", "lan"]);

const isPolicySection = (key: string): key is PolicySectionKey => key in policySections;

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
    <CarriedOutBy capabilities={capabilities}>
      {parts.map((part, place) => (
        <PolicyTable
          key={`${part.family.name}-${part.kind ?? ""}`}
          part={part}
          owner={props.owner}
          may={props.may}
          isMain={place === 0}
        />
      ))}
    </CarriedOutBy>
  );
}

/** Sections of policy objects that a CPE or POP holds itself (the calls under `manage/`). */
export const useNodePolicySections = (
  owner: PolicyOwner,
  may: Permission,
): (SettingsSection & { readonly may: Permission })[] => {
  const t = useTexts(policyMessages);
  const findings = usePolicyFindings(owner);
  const effects = {
    ...{ key: "policy-effect", label: t("policy.effects"), group: "policy" as const, may },
    ...{ count: findings.count, body: () => <PolicyFindings list={findings} /> },
  };
  const families = templateSections.flatMap(({ key, group }) =>
    isPolicySection(key) && !ofTemplates.has(key)
      ? [
          {
            // The DNS entries of a CPE have a section of that name.
            key: `policy-${key}`,
            label: key === "dns" ? t("policy.dnsControl") : sectionTitle(key, t.language),
            ...{ group, may, count: undefined },
            body: () => <PolicySection section={key} owner={owner} may={may} />,
          },
        ]
      : [],
  );
  return [effects, ...families];
};
