import { useTexts } from "#client/texts.ts";
import { ListTabs, useListTab } from "#parts/list-tabs.tsx";
import { strategyMessages } from "./strategy-messages.ts";

const lists = { tabs: ["pops", "strategies", "groups"], preset: "pops" } as const;
export type PopTab = (typeof lists.tabs)[number];

export const usePopTab = () => useListTab<PopTab>(lists);

export function PopTabs() {
  const t = useTexts(strategyMessages);
  return <ListTabs of={lists} label={t("popTab.label")} nameOf={(tab) => t(`popTab.${tab}`)} />;
}
