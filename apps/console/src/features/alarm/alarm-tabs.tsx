import Segmented from "antd/es/segmented";
import { useSearchParams } from "react-router";
import { useTexts } from "#kernel/texts.ts";
import { alarmMessages } from "./messages.ts";

const tabs = ["events", "policies"] as const;
type AlarmTab = (typeof tabs)[number];

const PARAM = "tab";

/** Which of the screen's lists is shown; the policies unless the address says another. */
export const useAlarmTab = (): AlarmTab => {
  const [search] = useSearchParams();
  return tabs.find((tab) => tab === search.get(PARAM)) ?? "policies";
};

/** Goes from one list of the screen to the other; each begins without filters. */
export function AlarmTabs() {
  const t = useTexts(alarmMessages);
  const [, setSearch] = useSearchParams();
  return (
    <Segmented<AlarmTab>
      aria-label={t("alarm.tab")}
      value={useAlarmTab()}
      options={tabs.map((value) => ({ value, label: t(`alarm.tab.${value}`) }))}
      onChange={(tab) => setSearch(tab === "policies" ? {} : { [PARAM]: tab })}
    />
  );
}
