import { policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import { useTexts } from "#client/texts.ts";
import { type Glyph, StateText } from "#ui/glyph.tsx";
import { policyMessages } from "./messages.ts";
import styles from "./object-findings.module.css";

/** An object that does not act as it was asked for, and why. */
interface ObjectFinding {
  readonly family: string;
  readonly objectId: number;
  readonly name: string;
  readonly effect: "cannot" | "fallback" | "replaced";
  readonly reason: string;
  readonly params: Readonly<Record<string, string>>;
}

const glyphs: Readonly<Record<ObjectFinding["effect"], Glyph>> = {
  ...{ cannot: "bad", fallback: "warn", replaced: "off" },
};

interface Props {
  readonly findings: readonly ObjectFinding[];
  /** How many there are, beside those that are given. */
  readonly count: number;
  /** Listed at most. */
  readonly max?: number;
}

/** "URL rule games: does not act: no line 3", one line each. */
export function ObjectFindings({ findings, count, max = 50 }: Props) {
  const t = useTexts(policyMessages);
  if (count === 0) return null;
  const shown = findings.slice(0, max);
  return (
    <ul className={styles.findings}>
      {shown.map((one) => (
        <li key={`${one.family} ${one.objectId}`}>
          <StateText
            glyph={glyphs[one.effect]}
            label={t("policy.finding.one", {
              family: policyTitle(one.family)[t.language === "zh_cn" ? 0 : 1],
              name: one.name,
              effect: t(`policy.effect.${one.effect}`),
              reason: policyReasonText(one, t.language),
            })}
          />
        </li>
      ))}
      {count > shown.length && (
        <li className="w-quiet">{t("policy.finding.more", { count: count - shown.length })}</li>
      )}
    </ul>
  );
}
