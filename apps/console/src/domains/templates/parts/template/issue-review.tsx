import { useInfiniteQuery } from "@tanstack/react-query";
import { compileFailureText } from "@weft/contract/domains/delivery/failure-text.ts";
import { isUnsupported } from "@weft/contract/domains/policies/policy-finding.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import { routerTemplateRolloutStart } from "@weft/contract/domains/templates/rollout.ts";
import {
  routerTemplateIssue,
  routerTemplatePreview,
} from "@weft/contract/domains/templates/router-template.ts";
import {
  defaultWaves,
  type WavePlan,
  wavePlan,
} from "@weft/contract/domains/templates/wave-plan.ts";
import Button from "antd/es/button";
import Radio from "antd/es/radio";
import { type ReactNode, useEffect, useId, useState } from "react";
import { type CallError, call } from "#client/call.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { Differences } from "#domains/delivery/parts/history/differences.tsx";
import { ObjectFindings } from "#domains/policies/parts/policy/object-findings.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { Sentence } from "#ui/sentence.tsx";
import styles from "./issue-review.module.css";
import { type IssueGroup, type IssueSummary, mergeGroups, summaryOf } from "./issue-summary.ts";
import { templateMessages } from "./messages.ts";
import type { TemplateChoice } from "./use-template.ts";
import { versionMessages } from "./version-messages.ts";
import { waveMessages } from "./wave-messages.ts";
import { WavePlanFields } from "./wave-plan-fields.tsx";

/** CPEs of one call: each is compiled. */
const limit = 20;

interface Found {
  readonly groups: readonly IssueGroup[];
  /** All CPEs of the template; null: not known yet. */
  readonly cpes: number | null;
  /** Of them, those that the groups hold. */
  readonly done: number;
  readonly isWhole: boolean;
  readonly error: CallError | null;
  retry(): void;
}

/**
 * What the issue of a template comes to, page after page.
 * @param fromVersion that is published again; null: the draft
 */
function useIssuePreview(templateId: number, fromVersion: number | null): Found {
  const query = useInfiniteQuery({
    // Events ask nothing again, for a page compiles its CPEs; a review that opens has nothing of before.
    queryKey: [routerTemplatePreview.id, templateId, fromVersion],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(routerTemplatePreview, { templateId, fromVersion, page, limit }, { signal }),
    getNextPageParam: ({ data }, _pages, page) => (page * limit < data.cpes ? page + 1 : undefined),
  });
  const { data, error, hasNextPage, isFetching, isError, fetchNextPage, refetch } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const pages = data?.pages.map((page) => page.data) ?? [];
  const groups = mergeGroups(pages);
  return {
    groups,
    cpes: pages.at(-1)?.cpes ?? null,
    done: groups.reduce((sum, { cpes }) => sum + cpes.length, 0),
    isWhole: isError || (data !== undefined && !hasNextPage),
    error: error as CallError | null,
    retry: () => void refetch(),
  };
}

type Texts = Translate<keyof typeof templateMessages>;

const touches = [
  "routerTemplate",
  "routerTemplateLog",
  "routerTemplateRollout",
  "task",
  "nodeState",
  "cpe",
  "policyFinding",
  "routerTemplateVersion",
  "effectivePolicy",
];

/** Names of CPEs that a group shows before it is opened. */
const maxNames = 5;

interface Review {
  /**
   * Opens the review of these templates, or of a past version of one. True: they were published.
   */
  request(templates: readonly TemplateChoice[], fromVersion?: number): Promise<boolean>;
  /** To be rendered beside what asks. */
  readonly drawer: ReactNode;
}

/** Issues templates after showing what that changes on their CPEs, and what will not act. */
export function useIssueReview(): Review {
  const [request, setRequest] = useState<{
    readonly templates: readonly TemplateChoice[];
    readonly fromVersion: number | null;
    readonly answer: (isIssued: boolean) => void;
  } | null>(null);
  const end = (isIssued: boolean): void => {
    request?.answer(isIssued);
    setRequest(null);
  };
  return {
    request: (templates, fromVersion) =>
      new Promise((answer) =>
        templates.length === 0
          ? answer(false)
          : setRequest({ templates, fromVersion: fromVersion ?? null, answer }),
      ),
    drawer: request && (
      <IssueReview templates={request.templates} fromVersion={request.fromVersion} onEnd={end} />
    ),
  };
}

interface Props {
  readonly templates: readonly TemplateChoice[];
  /** Version that is published again; null: what the templates hold now is published. */
  readonly fromVersion: number | null;
  readonly onEnd: (isIssued: boolean) => void;
}

const formId = "w-wave-plan";

/** What the review is about. */
function useReviewTexts({ templates, fromVersion: version }: Props) {
  const t = useTexts(templateMessages, versionMessages);
  const name = templates[0]?.templateName ?? "";
  if (version !== null)
    return {
      title: t("version.issueTitle", { name, version }),
      body: t("version.issueBody", { version }),
    };
  const title =
    templates.length === 1
      ? t("template.issueTitle", { name })
      : t("template.issueTitleMany", { count: templates.length });
  return { title, body: t("template.issueBody") };
}

function IssueReview(props: Props) {
  const { templates, fromVersion, onEnd } = props;
  const t = useTexts(templateMessages, waveMessages);
  const { title, body } = useReviewTexts(props);
  const [inWaves, setInWaves] = useState(false);
  const all = useAction(routerTemplateIssue, { touches, done: t("template.published") });
  const waves = useAction(routerTemplateRolloutStart, { touches, done: t("wave.started") });
  const templateId = templates.map((template) => template.templateId);
  const form = useDraft(wavePlan, defaultWaves);
  const issue = async (): Promise<void> => {
    if ((await all.act({ templateId, fromVersion })) !== null) onEnd(true);
  };
  const start = async (plan: WavePlan): Promise<void> => {
    if ((await waves.act({ templateId, fromVersion, ...plan })) !== null) onEnd(true);
  };
  const isActing = all.isActing || waves.isActing;
  return (
    <Drawer
      open
      size={720}
      title={title}
      onClose={() => onEnd(false)}
      footer={
        <div className={styles.foot}>
          <Button onClick={() => onEnd(false)}>{t("act.cancel")}</Button>
          {inWaves ? (
            <Button type="primary" htmlType="submit" form={formId} loading={isActing}>
              {t("wave.start")}
            </Button>
          ) : (
            <Button type="primary" loading={isActing} onClick={() => void issue()}>
              {t("template.issue")}
            </Button>
          )}
        </div>
      }
    >
      <p className="w-quiet">{body}</p>
      <section className={styles.template}>
        <WayOut inWaves={inWaves} onChange={setInWaves} />
        {inWaves && (
          <div className={styles.plan}>
            <DraftForm form={form} id={formId} onSubmit={start}>
              <WavePlanFields templateIds={templateId} />
            </DraftForm>
          </div>
        )}
      </section>
      {templates.map(({ templateId: id, templateName }) => (
        <section key={id} className={styles.template} aria-label={templateName}>
          {templates.length > 1 && <h3>{templateName}</h3>}
          <TemplateReview templateId={id} fromVersion={fromVersion} t={t} />
        </section>
      ))}
    </Drawer>
  );
}

interface WayOutProps {
  readonly inWaves: boolean;
  readonly onChange: (inWaves: boolean) => void;
}

/** To all CPEs at the same time, or to a few of them first. */
function WayOut({ inWaves, onChange }: WayOutProps) {
  const t = useTexts(waveMessages);
  const id = useId();
  return (
    <>
      <h3 id={id}>{t("wave.how")}</h3>
      <Radio.Group
        aria-labelledby={id}
        className="w-radio-lines"
        value={inWaves}
        onChange={(event) => onChange(event.target.value as boolean)}
      >
        {([false, true] as const).map((one) => (
          <Radio key={String(one)} value={one}>
            {t(one ? "wave.inWaves" : "wave.all")}
            <span className="w-radio-help">{t(one ? "wave.inWavesHelp" : "wave.allHelp")}</span>
          </Radio>
        ))}
      </Radio.Group>
    </>
  );
}

interface TemplateReviewProps extends Pick<Props, "fromVersion"> {
  readonly templateId: number;
  readonly t: Texts;
}

function TemplateReview({ templateId, fromVersion, t }: TemplateReviewProps) {
  const { groups, cpes, done, isWhole, error, retry } = useIssuePreview(templateId, fromVersion);
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
      {reasons.map((reason) => (
        <li key={JSON.stringify([reason.effect, reason.reason, reason.params])}>
          <Sentence
            glyph={
              reason.effect === "fallback"
                ? "warn"
                : isUnsupported(reason.reason)
                  ? "unsupported"
                  : "bad"
            }
            text={t(`template.review.${reason.effect}`, {
              objects: reason.objects,
              cpes: reason.cpes,
              reason: policyReasonText(reason, t.language),
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
