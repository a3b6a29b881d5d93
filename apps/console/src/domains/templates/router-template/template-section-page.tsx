import { useParams } from "react-router";
import { paths } from "#client/paths.ts";
import { TemplateFrame } from "#domains/templates/parts/template/template-frame.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useTemplateTexts } from "./template-texts.ts";

/** /business/template/:param for a key that is no section: says so inside the template. */
export default function TemplateSectionPage() {
  const t = useTemplateTexts();
  const { param = "" } = useParams();
  return (
    <TemplateFrame section={param}>
      {({ templateId }) => (
        <EmptyState
          kind="first"
          text={t("template.noSection")}
          action={{ label: t("template.toOverview"), to: paths.templateSection(templateId) }}
        />
      )}
    </TemplateFrame>
  );
}
