import Button from "antd/es/button";
import type { ReactNode } from "react";
import { Link, Navigate } from "react-router";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { May } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import {
  sectionGroups,
  sectionTitle,
  templateSections,
} from "#domains/policies/parts/policy/section-list.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { type SectionGroup, SectionsFrame } from "#parts/sections/sections-frame.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { useIssueReview } from "./issue-review.tsx";
import { templateMessages } from "./messages.ts";
import { type TemplateChoice, useSelectedTemplate } from "./use-template.ts";
import { versionMessages } from "./version-messages.ts";
import { Versions } from "./versions.tsx";

interface Props {
  /** Last part of the section's path; "add" is the overview. */
  readonly section: string;
  /** What is at the right; rendered once the template is known. */
  readonly children: (template: TemplateChoice) => ReactNode;
}

/**
 * The screen of one section of the selected template: the list of sections at the left, and the text
 * that all of it is a draft. Without a selected template it leads back to the templates.
 */
export function TemplateFrame({ section, children }: Props) {
  const t = useTexts(templateMessages);
  const { templateId, template, result } = useSelectedTemplate();
  const groups = useGroups();
  if (templateId === null) return <Navigate to={paths.template()} replace />;
  if (result.error && !result.data) return <Failed error={result.error} retry={result.refetch} />;
  if (result.isFirstLoad) return <Loading rows={6} />;
  if (!template) {
    return (
      <EmptyState
        kind="first"
        text={t("page.notFound")}
        action={{ label: t("template.backTo"), to: paths.template() }}
      />
    );
  }
  return (
    <>
      <Head template={template} />
      <SectionsFrame label={t("template.sections")} groups={groups(templateId)} current={section}>
        {children(template)}
      </SectionsFrame>
    </>
  );
}

function Head({ template }: { readonly template: TemplateChoice }) {
  const t = useTexts(templateMessages, versionMessages);
  const issue = useIssueReview();
  const { opened, open, close } = useOpened();
  return (
    <>
      {issue.drawer}
      <Versions
        open={opened?.what === "versions"}
        template={template}
        onClose={close}
        onIssue={(version) => {
          close();
          void issue.request([template], version);
        }}
      />
      <Link className="w-link" to={paths.template()}>
        ← {t("template.backTo")}
      </Link>
      <PageHead
        title={template.templateName}
        aside={<span className="w-quiet">{t("template.draft")}</span>}
        actions={
          <>
            <May code="routerTemplateList">
              <Button onClick={() => open("versions")}>{t("version.open")}</Button>
            </May>
            <May code="routerTemplateEdit">
              <Button type="primary" onClick={() => void issue.request([template])}>
                {t("template.issue")}
              </Button>
            </May>
          </>
        }
      />
    </>
  );
}

/** The overview, then the sections group by group; their names are those of the menu. */
function useGroups(): (templateId: number) => SectionGroup[] {
  const t = useTexts(templateMessages);
  return (templateId) => {
    const link = (key: string, label: string) => ({
      key,
      label,
      to: paths.templateSection(templateId, key),
    });
    return [
      { key: "add", title: null, sections: [link("add", t("template.overview"))] },
      ...sectionGroups.map((group) => ({
        key: group,
        title: t(`template.group.${group}`),
        sections: templateSections
          .filter((templateSection) => templateSection.group === group)
          .map(({ key }) => link(key, sectionTitle(key, t.language))),
      })),
    ];
  };
}
