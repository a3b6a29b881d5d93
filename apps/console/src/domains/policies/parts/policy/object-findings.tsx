import { isUnsupported, policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import { useTexts } from "#client/texts.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { Sentence } from "#ui/sentence.tsx";
import { policyMessages } from "./messages.ts";
import styles from "./object-findings.module.css";

/** An object that is not applied as configured, and why. */
interface ObjectFinding {
  readonly family: string;
  readonly objectId: number;
  readonly name: string;
  readonly effect: "cannot" | "fallback";
  readonly reason: string;
  readonly params: Readonly<Record<string, string>>;
}

const glyphOf = ({ effect, reason }: ObjectFinding): Glyph => {
  if (effect === "fallback") return "warn";
  return isUnsupported(reason) ? "unsupported" : "bad";
};

interface Props {
  readonly findings: readonly ObjectFinding[];
  /** How many there are, beside those that are given. */
  readonly count: number;
  /** Objects of one reason that are named. */
  readonly max?: number;
}

/** "Does not act: no WAN link 3" with the objects of that reason, one reason after the other. */
export function ObjectFindings({ findings, count, max = 50 }: Props) {
  const t = useTexts(policyMessages);
  if (count === 0) return null;
  const at = t.language === "zh_cn" ? 0 : 1;
  const byReason = Map.groupBy(findings, ({ effect, reason, params }) =>
    JSON.stringify([effect, reason, params]),
  );
  const named = (some: readonly ObjectFinding[]): string => {
    const names = some
      .slice(0, max)
      .map(({ family, name }) =>
        t("policy.finding.object", { family: policyTitle(family)[at], name }),
      );
    const more = some.length - names.length;
    const listed = t.list(names);
    return more > 0 ? t("policy.finding.andMore", { listed, count: more }) : listed;
  };
  return (
    <ul className={styles.findings}>
      {[...byReason.values()].flatMap((some) => {
        const [objectFinding] = some;
        if (!objectFinding) return [];
        const because = {
          effect: t(
            `policy.effect.${objectFinding.effect === "cannot" && isUnsupported(objectFinding.reason) ? "unsupported" : objectFinding.effect}`,
          ),
          why: policyReasonText(objectFinding, t.language),
        };
        return (
          <li
            key={`${objectFinding.effect} ${objectFinding.reason} ${JSON.stringify(objectFinding.params)}`}
          >
            <Sentence glyph={glyphOf(objectFinding)} text={t("policy.effect.because", because)} />
            <div className={styles.objects}>{named(some)}</div>
          </li>
        );
      })}
      {count > findings.length && (
        <li className="w-quiet">{t("policy.finding.more", { count: count - findings.length })}</li>
      )}
    </ul>
  );
}
