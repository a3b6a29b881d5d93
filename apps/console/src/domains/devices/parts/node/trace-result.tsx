import type { packetTrace } from "@weft/contract/domains/delivery/trace.ts";
import { traceReasonTexts, traceStageTexts } from "@weft/contract/domains/delivery/trace-text.ts";
import { policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { serialText } from "#domains/delivery/parts/history/state-owner.ts";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Sentence } from "#ui/sentence.tsx";
import styles from "./packet-trace.module.css";
import { useTraceTexts } from "./trace-texts.ts";

type Traced = OutputOf<typeof packetTrace>;
type Step = Traced["steps"][number];

const glyphs: Readonly<Record<Step["verdict"], Glyph>> = {
  pass: "ok",
  change: "diff",
  drop: "bad",
};

/** The object whose rule decided: what it is, what people call it, and whose it is. */
function ObjectName({ object }: { readonly object: NonNullable<Step["object"]> }) {
  const t = useTraceTexts();
  const title = formatMessage(policyTitle(object.family), useCurrentLanguage());
  const name = object.name === "" ? `#${object.id}` : object.name;
  return (
    <span className="w-quiet">
      {t("trace.object", { title, name, level: t.code("policyLevel", object.level) })}
    </span>
  );
}

/** The stages in their order; the last one decides. */
export function TraceResult({ traced }: { readonly traced: Traced }) {
  const t = useTraceTexts();
  const language = useCurrentLanguage();
  const { outcome, steps, serial } = traced;
  return (
    <section className={styles.result} aria-live="polite">
      <h3>
        <Sentence
          glyph={outcome === "dropped" ? "bad" : "ok"}
          text={t.code("traceOutcome", outcome)}
        />
      </h3>
      <ol className={styles.steps}>
        {steps.map(({ stage, verdict, reason, params, object }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stages may occur twice, and never move
          <li key={at} data-verdict={verdict}>
            <StatusGlyph glyph={glyphs[verdict]} />
            <span className={styles.stage}>{formatMessage(traceStageTexts[stage], language)}</span>
            <span>
              {formatMessage(traceReasonTexts[reason], language, params)}
              {object && <ObjectName object={object} />}
            </span>
          </li>
        ))}
      </ol>
      <p className="w-quiet">{t("trace.by", { serial: serialText(serial) })}</p>
    </section>
  );
}
