import type { Permission } from "@weft/contract/permissions.ts";
import { lazy, type ReactNode } from "react";
import { useTexts } from "#client/texts.ts";
import type { PolicyOwner } from "./choices.ts";
import { policyMessages } from "./messages.ts";
import { PolicyFindings, usePolicyFindings } from "./policy-findings.tsx";
import { type sectionGroups, sectionTitle, templateSections } from "./section-list.ts";
import { type PolicySectionKey, policySections } from "./sections.ts";

/** One of the sections of a node, of policy objects or of its own settings. */
export interface SettingsSection {
  readonly key: string;
  readonly label: string;
  readonly group: (typeof sectionGroups)[number];
  /** Rows of the section; null while unknown; undefined: it is no list. */
  readonly count: number | null | undefined;
  readonly body: () => ReactNode;
}

/** A node has lines and LANs of its own in place of a template's. */
const ofTemplates = new Set<string>(["interface", "wan", "lan"]);

const isPolicySection = (key: string): key is PolicySectionKey => key in policySections;

/** Its tables with their columns and forms are fetched when the first section is opened. */
const PolicySection = lazy(async () => ({
  default: (await import("./policy-section.tsx")).PolicySection,
}));

/** Sections of policy objects that a CPE or POP holds itself (the calls under `manage/`). */
export const useNodePolicySections = (
  owner: PolicyOwner,
  may: Permission,
): (SettingsSection & { readonly may: Permission })[] => {
  const t = useTexts(policyMessages);
  const findings = usePolicyFindings(owner);
  const effects = {
    key: "policy-effect",
    label: t("policy.effects"),
    group: "policy" as const,
    may,
    count: findings.count,
    body: () => <PolicyFindings list={findings} />,
  };
  const families = templateSections.flatMap(({ key, group }) =>
    isPolicySection(key) && !ofTemplates.has(key)
      ? [
          {
            // The DNS entries of a CPE have a section of that name.
            key: `policy-${key}`,
            label: key === "dns" ? t("policy.dnsControl") : sectionTitle(key, t.language),
            group,
            may,
            count: undefined,
            body: () => <PolicySection section={key} owner={owner} may={may} />,
          },
        ]
      : [],
  );
  return [effects, ...families];
};
