import DatePicker from "antd/es/date-picker";
import Segmented from "antd/es/segmented";
import dayjs from "dayjs";
import { isPreset, presets, spanWord } from "./range.ts";
import styles from "./range-bar.module.css";
import { useRecordTexts } from "./record-texts.ts";
import type { PickedRange } from "./use-range.ts";

/** Picks the range that a log is shown of: there is always one. */
export function RangeBar({ picked }: { readonly picked: PickedRange }) {
  const t = useRecordTexts();
  const { word, range, pick } = picked;
  const options = presets.map((value) => ({ value, label: t(`record.preset.${value}`) }));
  return (
    <fieldset className={styles.bar} aria-label={t("record.range")}>
      <Segmented<string>
        options={options}
        value={isPreset(word) ? word : ""}
        onChange={(value) => isPreset(value) && pick(value)}
      />
      <DatePicker.RangePicker
        showTime
        allowClear={false}
        value={[dayjs(range.startTime), dayjs(range.endTime)]}
        placeholder={[t("record.customFrom"), t("record.customTo")]}
        onChange={(moments) => {
          const [from, to] = moments ?? [];
          if (from && to) pick(spanWord(from.toDate(), to.toDate()));
        }}
      />
    </fieldset>
  );
}
