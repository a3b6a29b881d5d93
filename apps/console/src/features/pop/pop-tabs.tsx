import { ListTabs, useListTab } from "#kernel/list/list-tabs.tsx";
import { useTexts } from "#kernel/texts.ts";
import { strategyMessages } from "./strategy-messages.ts";

const lists = { tabs: ["pops", "strategies", "groups"], usual: "pops" } as const;
export type PopTab = (typeof lists.tabs)[number];

export const usePopTab = () => useListTab<PopTab>(lists);

export function PopTabs() {
  const t = useTexts(strategyMessages);
  return <ListTabs of={lists} label={t("popTab.label")} nameOf={(tab) => t(`popTab.${tab}`)} />;
}
