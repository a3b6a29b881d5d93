import DatePicker from "antd/es/date-picker";
import dayjs from "dayjs";
import "#client/date-languages.ts";
import { useTexts } from "#client/texts.ts";
import { rangeMessages } from "./messages.ts";
import { spanKey } from "./range.ts";
import type { PickedRange } from "./use-range.ts";

/** A range with both ends, to the second. */
export function SpanPicker({ range, pick }: Pick<PickedRange, "range" | "pick">) {
  const t = useTexts(rangeMessages);
  return (
    <DatePicker.RangePicker
      showTime
      allowClear={false}
      // As typed; the first form is the one that is shown.
      format={[
        "YYYY-MM-DD HH:mm:ss",
        "YYYY-MM-DD HH:mm",
        "YYYY-MM-DD",
        "YYYY/M/D HH:mm",
        "YYYY/M/D",
      ]}
      style={{ width: "100%" }}
      value={[dayjs(range.startTime), dayjs(range.endTime)]}
      placeholder={[t("range.from"), t("range.to")]}
      onChange={(moments) => {
        const [from, to] = moments ?? [];
        if (from && to) pick(spanKey(from.toDate(), to.toDate()));
      }}
    />
  );
}
