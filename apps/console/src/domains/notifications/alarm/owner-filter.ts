import type { AlarmTexts } from "./alarm-text.ts";

/** Alarms of the reader, or of no one. */
export const ownerFilter = (t: AlarmTexts) => ({
  key: "owner",
  kind: "select" as const,
  label: t("alarm.owner"),
  width: 128,
  options: [
    { value: "mine", label: t("alarm.mine") },
    { value: "none", label: t("alarm.noOwner") },
  ],
});
