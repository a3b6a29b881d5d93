import { Card } from "#ui/card.tsx";
import { Copyable } from "#ui/copyable.tsx";
import { type Glyph, StateCounts, StateText } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { Money } from "#ui/money.tsx";
import { NumberText, rateText } from "#ui/number-text.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./kernel-show.module.css";
import { longAgo, serialNumber } from "./sample-rows.ts";
import { useShowTexts } from "./show-texts.ts";

/** Every icon; a new one is a type error until it is listed here. */
const glyphs: Readonly<Record<Glyph, true>> = {
  ok: true,
  bad: true,
  warn: true,
  diff: true,
  run: true,
  off: true,
  disabled: true,
  unknown: true,
  unsupported: true,
  critical: true,
  major: true,
  minor: true,
  notice: true,
};

/** What stands for states. */
export function StateIcons() {
  const t = useShowTexts();
  return (
    <Card title={t("show.icons")}>
      <div className={styles.wrapped}>
        {(Object.keys(glyphs) as Glyph[]).map((glyph) => (
          <StateText key={glyph} glyph={glyph} label={glyph} />
        ))}
      </div>
      <StateCounts
        counts={[
          { glyph: "bad", label: "bad", count: 3 },
          { glyph: "warn", label: "warn", count: 1 },
          { glyph: "ok", label: "ok", count: 38 },
        ]}
      />
    </Card>
  );
}

/** How single values look. */
export function Values() {
  const t = useShowTexts();
  const rate = rateText(48_300_000);
  return (
    <Card title={t("show.values")}>
      <KeyValue
        items={[
          { label: t("show.metric"), value: <NumberText value={12.5} digits={1} unit="ms" /> },
          { label: t("show.rate"), value: `${rate.value} ${rate.unit}` },
          { label: t("show.money"), value: <Money value={-128_450} isSigned /> },
          { label: t("show.stamp"), value: <TimeText value={longAgo} /> },
          { label: t("show.since"), value: <TimeText value={longAgo} form="since" /> },
          { label: t("show.copy"), value: <Copyable text={serialNumber} short={16} /> },
          { label: t("show.missing"), value: <Missing reason={t("show.never")} /> },
        ]}
      />
    </Card>
  );
}
