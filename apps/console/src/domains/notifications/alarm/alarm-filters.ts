import { alarmLevels } from "@weft/contract/domains/notifications/enums.ts";
import { codeOptions } from "#client/texts.ts";
import type { AlarmTexts } from "./alarm-text.ts";

export const levelFilter = (t: AlarmTexts) => ({
  key: "level",
  kind: "select" as const,
  label: t.field("level"),
  width: 128,
  options: codeOptions(t, "alarmLevel", alarmLevels),
});

/** Whether someone has acknowledged them. */
export const handledFilter = (t: AlarmTexts) => ({
  key: "handled",
  kind: "select" as const,
  label: t.field("handled"),
  width: 128,
  options: [
    { value: false, label: t("alarm.unhandled") },
    { value: true, label: t("alarm.handled") },
  ],
});

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

/** The owner that all of these alarms have; null: none, or several. */
export const sharedOwner = (
  alarms: readonly { readonly ownerId: number | null }[],
): number | null => {
  const [first] = alarms;
  return alarms.every(({ ownerId }) => ownerId === first?.ownerId)
    ? (first?.ownerId ?? null)
    : null;
};
