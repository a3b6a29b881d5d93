import Segmented from "antd/es/segmented";
import { useSearchParams } from "react-router";
import { useTexts } from "#kernel/texts.ts";
import { strategyMessages } from "./strategy-messages.ts";

const tabs = ["pops", "strategies", "groups"] as const;
export type PopTab = (typeof tabs)[number];

const PARAM = "tab";

/** Which of the screen's lists is shown; the POPs themselves unless the address says another. */
export const usePopTab = (): PopTab => {
  const [search] = useSearchParams();
  return tabs.find((tab) => tab === search.get(PARAM)) ?? "pops";
};

/** Goes from one list of the screen to another; each begins without filters. */
export function PopTabs() {
  const t = useTexts(strategyMessages);
  const [, setSearch] = useSearchParams();
  return (
    <Segmented<PopTab>
      aria-label={t("popTab.label")}
      value={usePopTab()}
      options={tabs.map((value) => ({ value, label: t(`popTab.${value}`) }))}
      onChange={(tab) => setSearch(tab === "pops" ? {} : { [PARAM]: tab })}
    />
  );
}
