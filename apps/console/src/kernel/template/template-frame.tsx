import { looseMenu } from "@weft/contract/menu/loose.ts";
import Button from "antd/es/button";
import type { ReactNode } from "react";
import { Link, Navigate } from "react-router";
import { EmptyState, Failed, Loading } from "#kernel/feedback/empty-state.tsx";
import { paths } from "#kernel/paths.ts";
import { May } from "#kernel/session.tsx";
import { useTexts } from "#kernel/texts.ts";
import { PageHead } from "#ui/page-head.tsx";
import { templateMessages } from "./messages.ts";
import { groupKey, sectionGroups, templateSections } from "./sections.ts";
import styles from "./template-frame.module.css";
import { type TemplateChoice, useIssue, useSelectedTemplate } from "./use-template.ts";

interface Props {
  /** Last part of the section's path; "add" is the overview. */
  readonly section: string;
  /** What stands at the right; drawn once the template is known. */
  readonly children: (template: TemplateChoice) => ReactNode;
}

/**
 * The screen of one section of the selected template: the list of sections at the left, and the word
 * that all of it is a draft. Without a selected template it leads back to the templates.
 */
export function TemplateFrame({ section, children }: Props) {
  const t = useTexts(templateMessages);
  const { templateId, template, asked } = useSelectedTemplate();
  if (templateId === null) return <Navigate to={paths.template()} replace />;
  if (asked.error) return <Failed error={asked.error} retry={asked.refetch} />;
  if (asked.isFirstLoad) return <Loading rows={6} />;
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
      <div className={styles.frame}>
        <Sections current={section} templateId={templateId} />
        <div className={styles.section}>{children(template)}</div>
      </div>
    </>
  );
}

function Head({ template }: { readonly template: TemplateChoice }) {
  const t = useTexts(templateMessages);
  const issue = useIssue();
  return (
    <>
      <Link className="w-link" to={paths.template()}>
        ← {t("template.backTo")}
      </Link>
      <PageHead
        title={template.templateName}
        aside={<span className="w-quiet">{t("template.draft")}</span>}
        actions={
          <May code="routerTemplateEdit">
            <Button type="primary" onClick={() => void issue([template])}>
              {t("template.issue")}
            </Button>
          </May>
        }
      />
    </>
  );
}

interface SectionsProps {
  readonly current: string;
  readonly templateId: number;
}

const titleOf = (key: string) =>
  looseMenu.find(({ path }) => path === `/business/template/${key}`)?.title;

function Sections({ current, templateId }: SectionsProps) {
  const t = useTexts(templateMessages);
  const word = (key: string): string => {
    const title = titleOf(key);
    return (t.language === "zh_cn" ? title?.[0] : title?.[1]) ?? key;
  };
  const item = (key: string, label: string) => (
    <Link
      key={key}
      to={paths.templateSection(templateId, key)}
      aria-current={key === current ? "page" : undefined}
    >
      {label}
    </Link>
  );
  return (
    <nav className={styles.list} aria-label={t("template.sections")}>
      {item("add", t("template.overview"))}
      {sectionGroups.map((group) => (
        <div key={group} className={styles.group}>
          <h2>{t(groupKey(group))}</h2>
          {templateSections
            .filter((one) => one.group === group)
            .map(({ key }) => item(key, word(key)))}
        </div>
      ))}
    </nav>
  );
}
