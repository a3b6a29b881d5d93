import Segmented from "antd/es/segmented";
import { useSearchParams } from "react-router";

const paramName = "tab";

/** The lists of one screen, and the one that is shown unless the address says another. */
export interface ListTabsOf<Tab extends string> {
  readonly tabs: readonly Tab[];
  readonly preset: Tab;
}

/** Which of the screen's lists is shown. */
export function useListTab<Tab extends string>({ tabs, preset }: ListTabsOf<Tab>): Tab {
  const [search] = useSearchParams();
  return tabs.find((tab) => tab === search.get(paramName)) ?? preset;
}

interface ListTabsProps<Tab extends string> {
  readonly of: ListTabsOf<Tab>;
  readonly label: string;
  readonly nameOf: (tab: Tab) => string;
}

/** Goes from one list of the screen to another; each begins without filters. */
export function ListTabs<Tab extends string>({ of, label, nameOf }: ListTabsProps<Tab>) {
  const [, setSearch] = useSearchParams();
  return (
    <Segmented<Tab>
      aria-label={label}
      value={useListTab(of)}
      options={of.tabs.map((value) => ({ value, label: nameOf(value) }))}
      onChange={(tab) => setSearch(tab === of.preset ? {} : { [paramName]: tab })}
    />
  );
}
