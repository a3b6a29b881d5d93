import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { sinceText, stampText } from "#ui/time-text.tsx";
import { healthSentence, toneOf, type WithHealth } from "./health.ts";
import { type NodeTexts, useNodeTexts } from "./node-texts.ts";
import { type Cause, chainParts, type Verdict } from "./verdict.ts";
import styles from "./verdict-line.module.css";

interface Props {
  readonly verdict: Verdict;
  readonly node: WithHealth;
}

/** null: the strip of the delivery below says it. */
const sentenceOf = (cause: Cause, t: NodeTexts): string | null => {
  const when = (since: Date | null) => (since ? sinceText(since, t.language) : t("node.never"));
  switch (cause.is) {
    case "well":
      return t("node.cause.well", { links: cause.links });
    case "unclaimed":
    case "pending":
    case "rejected":
    case "quarantined":
    case "noLinks":
      return t(`node.cause.${cause.is}`);
    case "offline":
      return t("node.cause.offline", { time: when(cause.since) });
    case "outOfContact":
      return t("node.cause.outOfContact", { peer: cause.peer });
    case "delivery":
    case "findings":
      return null;
    case "drifted":
      return t("node.cause.drifted", { count: cause.steps });
    case "linesDown":
      return t("node.cause.linesDown", { names: t.list(cause.names) });
    case "linksDown":
      return t("node.cause.linksDown", {
        links: cause.links,
        down: cause.down,
        peer: cause.peer,
      });
  }
};

/** The chain in causal order and, in a sentence, the first thing that is wrong. */
export function VerdictLine({ verdict, node }: Props) {
  const t = useNodeTexts();
  // The health is what lists and counts call it by; it says nothing of a node that is well.
  const isWell = toneOf(node.health) === "ok";
  const sentence = (isWell ? null : healthSentence(node, t)) ?? sentenceOf(verdict.cause, t);
  // These sentences say since when.
  const isDated = node.health === "offline" || node.health === "poor";
  const since = isWell || isDated ? null : node.healthSince;
  return (
    <div className={styles.verdict}>
      <ol className={styles.chain}>
        {chainParts.map((part) => (
          <li key={part}>
            {t(`node.part.${part}`)}
            <StatusGlyph
              glyph={verdict.chain[part]}
              label={t(`node.tone.${verdict.chain[part]}`)}
            />
          </li>
        ))}
      </ol>
      {sentence && <strong className={styles.sentence}>{sentence}</strong>}
      {sentence && since && (
        <span className="w-quiet" title={stampText(since)}>
          {t("node.since", {
            time: stampText(since).slice(5, 16),
            ago: sinceText(since, t.language),
          })}
        </span>
      )}
      {verdict.cause.is === "pending" && (
        <Link className="w-link" to={paths.enrolment()}>
          {t("node.toEnrolment")}
        </Link>
      )}
    </div>
  );
}
