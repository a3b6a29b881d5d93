import { PolicySection } from "#domains/policies/parts/policy/policy-section.tsx";
import type { PolicySectionKey } from "#domains/policies/parts/policy/sections.ts";
import { TemplateFrame } from "#domains/templates/parts/template/template-frame.tsx";

/** The screen of one section of a template. */
export const sectionPage = (section: PolicySectionKey) => () => (
  <TemplateFrame section={section}>
    {({ templateId }) => (
      <PolicySection section={section} owner={{ templateId }} may="routerTemplateEdit" />
    )}
  </TemplateFrame>
);
