import { findingMessages, findingText } from "@weft/contract/domains/delivery/finding-text.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { useTexts } from "#client/texts.ts";
import { Sentence } from "#ui/sentence.tsx";
import type { NodeState } from "./delivery.ts";
import styles from "./findings.module.css";

/** Lines that are reported in full; a device may have a hundred. */
const shown = 5;

/** What of the confirmed configuration does not act on the device, although the rest does. */
export function Findings({ state }: { readonly state: NodeState }) {
  const t = useTexts(findingMessages);
  const language = useCurrentLanguage();
  const { findings } = state;
  const [first] = findings;
  if (!first) return null;
  const more = findings.length - shown;
  const count =
    findings.length === 1 ? t("finding.countOne") : t("finding.count", { count: findings.length });
  return (
    <output className={styles.findings} aria-live="polite">
      <Sentence glyph="warn" text={count} />
      <ul className={styles.list}>
        {findings.slice(0, shown).map((finding) => (
          <li key={`${finding.kind} ${finding.object} ${finding.reason}`}>
            {findingText(finding, language)}
          </li>
        ))}
        {more > 0 && <li className="w-quiet">{t("finding.more", { count: more })}</li>}
      </ul>
    </output>
  );
}
