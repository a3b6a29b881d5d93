import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { TimeText } from "#ui/time-text.tsx";
import type { NodeState } from "./delivery.ts";
import { useHistoryTexts } from "./history-texts.ts";
import styles from "./node-facts.module.css";

/** The exact difference between what runs and what the box shows, now or the last time. */
export function NodeDrift({ drift }: { readonly drift: NonNullable<NodeState["drift"]> }) {
  const t = useHistoryTexts();
  const isGone = drift.endTime !== null;
  return (
    <Card title={t("drift.title")}>
      <StateText glyph={isGone ? "ok" : "diff"} word={t(isGone ? "drift.gone" : "drift.now")} />
      <KeyValue
        columns={2}
        items={[
          { label: t("drift.since"), value: <TimeText value={drift.since} /> },
          {
            label: t("drift.ended"),
            value: <TimeText value={drift.endTime} missing={t("history.notEnded")} />,
          },
        ]}
      />
      <details className={styles.can} open={!isGone}>
        <summary>{t("drift.what")}</summary>
        {drift.plan.map((step) => (
          <p key={step} className="w-mono">
            {step}
          </p>
        ))}
      </details>
    </Card>
  );
}
