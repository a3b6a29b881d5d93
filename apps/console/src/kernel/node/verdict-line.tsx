import { Link } from "react-router";
import { paths } from "#kernel/paths.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { sinceText } from "#ui/time-text.tsx";
import { type NodeTexts, toneGlyphs, useNodeTexts } from "./node-texts.ts";
import { type Cause, chainParts, type Verdict } from "./verdict.ts";
import styles from "./verdict-line.module.css";

const sentenceOf = (cause: Cause, t: NodeTexts): string => {
  const when = (since: Date | null) => (since ? sinceText(since, t.language) : t("node.never"));
  switch (cause.is) {
    case "well":
      return t("node.cause.well", { links: cause.links });
    case "unclaimed":
    case "pending":
    case "rejected":
    case "noConfig":
    case "noLinks":
      return t(`node.cause.${cause.is}`);
    case "offline":
      return t("node.cause.offline", { time: when(cause.since) });
    case "outOfContact":
      return t("node.cause.outOfContact", { peer: cause.peer });
    case "stopped":
      return t("node.cause.stopped", {
        serial: cause.serial,
        reason: cause.reason ?? t("node.cause.noReason"),
      });
    case "underway":
      return cause.serial === null
        ? t("node.cause.compiling")
        : t("node.cause.underway", { serial: cause.serial });
    case "linesDown":
      return t("node.cause.linesDown", { names: cause.names.join(", ") });
    case "linksDown":
      return t("node.cause.linksDown", {
        links: cause.links,
        down: cause.down,
        peer: cause.peer,
      });
  }
};

/** The chain in causal order and, in a sentence, the first thing that is wrong. */
export function VerdictLine({ verdict }: { readonly verdict: Verdict }) {
  const t = useNodeTexts();
  return (
    <div className={styles.verdict}>
      <ol className={styles.chain}>
        {chainParts.map((part) => (
          <li key={part}>
            {t(`node.part.${part}`)}
            <StatusGlyph
              glyph={toneGlyphs[verdict.chain[part]]}
              label={t(`node.tone.${verdict.chain[part]}`)}
            />
          </li>
        ))}
      </ol>
      <strong className={styles.sentence}>{sentenceOf(verdict.cause, t)}</strong>
      {verdict.cause.is === "pending" && (
        <Link className="w-link" to={paths.enrolment()}>
          {t("node.toEnrolment")}
        </Link>
      )}
    </div>
  );
}
