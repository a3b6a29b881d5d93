import { compileFailureText } from "@weft/contract/domains/delivery/failure-text.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import { routerTemplateIssue } from "@weft/contract/domains/templates/router-template.ts";
import Button from "antd/es/button";
import { type ReactNode, useState } from "react";
import { type Translate, useTexts } from "#client/texts.ts";
import { Differences } from "#domains/devices/parts/node/differences.tsx";
import { Sentence } from "#domains/devices/parts/node/sentence.tsx";
import { ObjectFindings } from "#domains/policies/parts/policy/object-findings.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Drawer } from "#ui/overlay/drawer.tsx";
import styles from "./issue-review.module.css";
import { type IssueGroup, type IssueSummary, summaryOf } from "./issue-summary.ts";
import { templateMessages } from "./messages.ts";
import { useIssuePreview } from "./use-issue-preview.ts";
import type { TemplateChoice } from "./use-template.ts";

type Texts = Translate<keyof typeof templateMessages>;

/** Names of CPEs that a group shows before it is opened. */
const maxNames = 5;

interface Review {
  /** Opens the review of these templates. True: they were published. */
  ask(templates: readonly TemplateChoice[]): Promise<boolean>;
  /** To be rendered beside what asks. */
  readonly drawer: ReactNode;
}

/** Issues templates after showing what that changes on their CPEs, and what will not act. */
export function useIssueReview(): Review {
  const [asked, setAsked] = useState<{
    readonly templates: readonly TemplateChoice[];
    readonly answer: (isIssued: boolean) => void;
  } | null>(null);
  const end = (isIssued: boolean): void => {
    asked?.answer(isIssued);
    setAsked(null);
  };
  return {
    ask: (templates) =>
      new Promise((answer) =>
        templates.length === 0 ? answer(false) : setAsked({ templates, answer }),
      ),
    drawer: asked && <IssueReview templates={asked.templates} onEnd={end} />,
  };
}

interface Props {
  readonly templates: readonly TemplateChoice[];
  readonly onEnd: (isIssued: boolean) => void;
}

function IssueReview({ templates, onEnd }: Props) {
  const t = useTexts(templateMessages);
  const { act, isActing } = useAction(routerTemplateIssue, {
    touches: ["routerTemplateLog", "routerTemplate", "task", "nodeState", "cpe", "policyFinding"],
    done: t("template.published"),
  });
  const issue = async (): Promise<void> => {
    const done = await act({ templateId: templates.map(({ templateId }) => templateId) });
    if (done !== null) onEnd(true);
  };
  const [first] = templates;
  const title =
    templates.length === 1
      ? t("template.issueTitle", { name: first?.templateName ?? "" })
      : t("template.issueTitleMany", { count: templates.length });
  return (
    <Drawer
      open
      size={720}
      title={title}
      onClose={() => onEnd(false)}
      footer={
        <div className={styles.foot}>
          <Button onClick={() => onEnd(false)}>{t("act.cancel")}</Button>
          <Button type="primary" loading={isActing} onClick={() => void issue()}>
            {t("template.issue")}
          </Button>
        </div>
      }
    >
      <p className="w-quiet">{t("template.issueBody")}</p>
      {templates.map(({ templateId, templateName }) => (
        <section key={templateId} className={styles.template} aria-label={templateName}>
          {templates.length > 1 && <h3>{templateName}</h3>}
          <TemplateReview templateId={templateId} t={t} />
        </section>
      ))}
    </Drawer>
  );
}

function TemplateReview({ templateId, t }: { readonly templateId: number; readonly t: Texts }) {
  const { groups, cpes, done, isWhole, error, retry } = useIssuePreview(templateId);
  if (error) return <Failed error={error} retry={retry} />;
  if (cpes === null) return <Loading rows={4} />;
  if (cpes === 0) return <Sentence glyph="warn" text={t("template.review.noCpes")} />;
  return (
    <>
      {!isWhole && (
        <p className="w-quiet" aria-live="polite">
          {t("template.review.underway", { done, cpes })}
        </p>
      )}
      <Summary summary={summaryOf(groups)} t={t} />
      {groups.map((group) => (
        <Group key={group.key} group={group} isOnly={groups.length === 1} t={t} />
      ))}
    </>
  );
}

function Summary({ summary, t }: { readonly summary: IssueSummary; readonly t: Texts }) {
  const { cpes, acts, fails, unknown, reasons } = summary;
  const glyph = fails === 0 ? "ok" : acts === 0 ? "bad" : "warn";
  return (
    <ul className={styles.summary}>
      <li>
        <Sentence glyph={glyph} text={t("template.review.acts", { acts, cpes })} />
      </li>
      {reasons.map((one) => (
        <li key={JSON.stringify([one.effect, one.reason, one.params])}>
          <Sentence
            glyph={one.effect === "cannot" ? "bad" : "warn"}
            text={t(`template.review.${one.effect}`, {
              ...{ objects: one.objects, cpes: one.cpes },
              reason: policyReasonText(one, t.language),
            })}
          />
        </li>
      ))}
      {unknown > 0 && (
        <li>
          <Sentence glyph="unknown" text={t("template.review.unknown", { cpes: unknown })} />
        </li>
      )}
    </ul>
  );
}

interface GroupProps {
  readonly group: IssueGroup;
  /** There is no other: it is open from the start. */
  readonly isOnly: boolean;
  readonly t: Texts;
}

/** CPEs for which the issue comes to the same. */
function Group({ group, isOnly, t }: GroupProps) {
  const { cpes, count, differences, cannot, unmet, findings, failure } = group;
  const names = cpes.slice(0, maxNames).map(({ name }) => name);
  const more = cpes.length - names.length;
  const listed = t.list(names);
  return (
    <details className={styles.group} open={isOnly}>
      <summary>
        <span className="w-name">{t("template.review.group", { count: cpes.length })}</span>
        <span className="w-quiet">
          {more > 0 ? t("template.review.names", { names: listed, count: more }) : listed}
        </span>
        <span className="w-quiet">
          {t("template.review.changes", { count })}
          {cannot > 0 && ` · ${t("template.review.idle", { count: cannot })}`}
        </span>
      </summary>
      {failure && (
        <Sentence
          glyph="bad"
          text={t("template.review.failure", {
            reason: compileFailureText(JSON.stringify(failure), t.language),
          })}
        />
      )}
      <ObjectFindings findings={findings} count={unmet} />
      <Differences objects={differences} count={count} none={t("template.review.none")} />
    </details>
  );
}
