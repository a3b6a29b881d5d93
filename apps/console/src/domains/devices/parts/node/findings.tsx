import { type findingKinds, findingReasons } from "@weft/contract/device/v1/findings.ts";
import { useTexts } from "#client/texts.ts";
import type { NodeState } from "./delivery.ts";
import { findingMessages } from "./finding-messages.ts";
import styles from "./findings.module.css";
import { Said } from "./sentence.tsx";

type Finding = NodeState["findings"][number];
type Texts = ReturnType<typeof useFindingTexts>;

const useFindingTexts = () => useTexts(findingMessages);

/** Lines that are reported in full; a device may have a hundred. */
const shown = 5;

/** A device of another version may leave out what a text names. */
const blank = { vlan: "", nextHop: "", metric: "", mtu: "", wanted: "" };

const isReason = (reason: string): reason is (typeof findingReasons)[number] =>
  findingReasons.some((one) => one === reason);

const kindKey = (kind: string) => `finding.kind.${kind as (typeof findingKinds)[number]}` as const;

/** A newer device may have reasons and kinds that this console has no texts for: it shows the keys. */
const lineOf = (t: Texts, { kind, object, reason, params }: Finding): string =>
  t("finding.one", {
    kind: Object.hasOwn(findingMessages, kindKey(kind)) ? t(kindKey(kind)) : kind,
    object,
    reason: isReason(reason)
      ? t(`finding.${reason}`, { ...blank, ...params })
      : [reason, ...Object.values(params)].join(" "),
  });

/** What of the confirmed configuration does not act on the device, although the rest does. */
export function Findings({ state }: { readonly state: NodeState }) {
  const t = useFindingTexts();
  const { findings } = state;
  const [first] = findings;
  if (!first) return null;
  const more = findings.length - shown;
  const count =
    findings.length === 1 ? t("finding.countOne") : t("finding.count", { count: findings.length });
  return (
    <output className={styles.findings} aria-live="polite">
      <Said glyph="warn" text={count} />
      <ul className={styles.list}>
        {findings.slice(0, shown).map((one) => (
          <li key={`${one.kind} ${one.object} ${one.reason}`}>{lineOf(t, one)}</li>
        ))}
        {more > 0 && <li className="w-quiet">{t("finding.more", { count: more })}</li>}
      </ul>
    </output>
  );
}
