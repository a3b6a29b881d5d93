import { PolicySection } from "#parts/policy/node-sections.tsx";
import type { PolicySectionKey } from "#parts/policy/sections.ts";
import { TemplateFrame } from "#parts/template/template-frame.tsx";

/** The screen of one section of a template. */
export const sectionPage = (section: PolicySectionKey) => () => (
  <TemplateFrame section={section}>
    {({ templateId }) => (
      <PolicySection section={section} holder={{ templateId }} may="routerTemplateEdit" />
    )}
  </TemplateFrame>
);
