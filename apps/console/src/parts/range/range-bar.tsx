import Segmented from "antd/es/segmented";
import { useTexts } from "#client/texts.ts";
import { later } from "#feedback/later.tsx";
import { rangeMessages } from "./messages.ts";
import { isPreset, presets } from "./range.ts";
import styles from "./range-bar.module.css";
import type { PickedRange } from "./use-range.ts";

/** The calendar weighs more than most screens that show it: they do not wait for it. */
const SpanPicker = later(async () => (await import("./span-picker.tsx")).SpanPicker);

/** Picks the range that a log is shown of: there is always one. */
export function RangeBar({ picked }: { readonly picked: PickedRange }) {
  const t = useTexts(rangeMessages);
  const { key, range, pick } = picked;
  const options = presets.map((value) => ({ value, label: t(`range.preset.${value}`) }));
  return (
    <fieldset className={styles.bar} aria-label={t("range.title")}>
      <Segmented<string>
        options={options}
        value={isPreset(key) ? key : ""}
        onChange={(value) => isPreset(value) && pick(value)}
      />
      <div className={styles.span}>
        <SpanPicker range={range} pick={pick} />
      </div>
    </fieldset>
  );
}
