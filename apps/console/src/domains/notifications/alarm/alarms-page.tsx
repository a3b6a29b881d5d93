import { type AlarmView, alarmViews } from "@weft/contract/domains/notifications/enums.ts";
import Segmented from "antd/es/segmented";
import { useSearchParams } from "react-router";
import { AlarmGroups } from "./alarm-groups.tsx";
import { AlarmList } from "./alarm-list.tsx";
import { useAlarmTexts } from "./alarm-text.ts";

/** What only the list of single alarms is asked for: addresses that have it lead there. */
const ofList = ["all", "metric", "active", "cpeId", "popId"];

/** Alarms by cause: to work on, put off, and of planned work; and all of them one by one. */
export default function AlarmsPage() {
  const t = useAlarmTexts();
  const [search, setSearch] = useSearchParams();
  const isList = ofList.some((key) => search.has(key));
  const linkedView = search.get("view");
  const view: AlarmView = alarmViews.find((alarmView) => alarmView === linkedView) ?? "active";
  const shown = isList ? "all" : view;
  const show = (next: AlarmView | "all"): void => {
    if (next === "all") setSearch({ all: "1" });
    else setSearch(next === "active" ? {} : { view: next });
  };
  const tools = (
    <Segmented
      aria-label={t("alarm.view")}
      value={shown}
      onChange={show}
      options={[...alarmViews, "all" as const].map((value) => ({
        value,
        label: t(`alarm.view.${value}`),
      }))}
    />
  );
  return isList ? (
    <AlarmList tools={tools} />
  ) : (
    <AlarmGroups key={view} view={view} tools={tools} />
  );
}
