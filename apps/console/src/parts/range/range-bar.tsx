import DatePicker from "antd/es/date-picker";
import Segmented from "antd/es/segmented";
import dayjs from "dayjs";
import "#client/date-languages.ts";
import { useTexts } from "#client/texts.ts";
import { rangeMessages } from "./messages.ts";
import { isPreset, presets, spanKey } from "./range.ts";
import styles from "./range-bar.module.css";
import type { PickedRange } from "./use-range.ts";

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
      <DatePicker.RangePicker
        showTime
        allowClear={false}
        value={[dayjs(range.startTime), dayjs(range.endTime)]}
        placeholder={[t("range.from"), t("range.to")]}
        onChange={(moments) => {
          const [from, to] = moments ?? [];
          if (from && to) pick(spanKey(from.toDate(), to.toDate()));
        }}
      />
    </fieldset>
  );
}
