import { useTexts } from "#client/texts.ts";
import { ListTabs, useListTab } from "#parts/list-tabs.tsx";
import { alarmMessages } from "./messages.ts";

const lists = { tabs: ["events", "policies"], preset: "policies" } as const;

export const useAlarmTab = () => useListTab<(typeof lists.tabs)[number]>(lists);

export function AlarmTabs() {
  const t = useTexts(alarmMessages);
  return <ListTabs of={lists} label={t("alarm.tab")} nameOf={(tab) => t(`alarm.tab.${tab}`)} />;
}
