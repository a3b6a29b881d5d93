import { PolicyTable } from "#kernel/policy/policy-table.tsx";
import { type PolicyPart, type PolicySectionKey, policySections } from "#kernel/policy/sections.ts";
import { TemplateFrame } from "#kernel/template/template-frame.tsx";

/** The screen of one section of a template: its tables, one under the other. */
export const sectionPage = (section: PolicySectionKey) => {
  const parts: readonly PolicyPart[] = policySections[section];
  return () => (
    <TemplateFrame section={section}>
      {({ templateId }) =>
        parts.map((part) => (
          <PolicyTable
            key={`${part.family.name}-${part.kind ?? ""}`}
            part={part}
            holder={{ templateId }}
            may="routerTemplateEdit"
          />
        ))
      }
    </TemplateFrame>
  );
};
