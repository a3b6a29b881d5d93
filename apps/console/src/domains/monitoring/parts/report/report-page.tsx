import Select from "antd/es/select";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useNumberParam } from "#client/paths.ts";
import { useSearch, withParam } from "#client/search.ts";
import { useTexts } from "#client/texts.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import { AutoRefresh, AutoRefreshSwitch } from "#parts/auto-refresh.tsx";
import grid from "#parts/chart/chart-grid.module.css";
import type { Range } from "#parts/range/range.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useMovingRange } from "#parts/range/use-moving-range.ts";
import { Zoomable } from "#parts/range/zoomable.tsx";
import { PageHead } from "#ui/page-head.tsx";
import tabStyles from "#ui/tabs.module.css";
import { reportMessages } from "./messages.ts";
import styles from "./report-page.module.css";

export interface ReportTab {
  /** Last part of the tab's path. */
  readonly key: string;
  readonly label: string;
}

interface Props {
  /** Key that auto refresh is remembered by. */
  readonly screen: string;
  readonly title: string;
  readonly back: { readonly to: string; readonly label: string };
  readonly tabs: readonly ReportTab[];
  /** What the report can be of; undefined while it loads. */
  readonly items: readonly { readonly id: number; readonly name: string }[] | undefined;
  readonly pick: string;
  /** What it is about while the address names nothing; else the first of the items. */
  readonly start?: number | undefined;
  /** Path of a tab, where this screen may also have an address without a tab. */
  readonly home?: string;
  /** Beside the picker. */
  readonly aside?: (id: number) => ReactNode;
  readonly children: (id: number, tab: string, range: Range) => ReactNode;
}

/** Tabs about one selected thing over a range of time. The address keeps all three over a reload. */
export function ReportPage(props: Props) {
  return (
    <AutoRefresh screen={props.screen}>
      <Body {...props} />
    </AutoRefresh>
  );
}

function Body({ title, back, tabs, items, pick, start, home, aside, children }: Props) {
  const t = useTexts(reportMessages);
  const { pathname } = useLocation();
  const tab = pathname.split("/").at(-1) ?? "";
  const current = tabs.find(({ key }) => key === tab)?.key ?? tabs[0]?.key ?? tab;
  const isTab = current === tab;
  const folder = (isTab ? pathname : (home ?? pathname)).split("/").slice(0, -1).join("/");
  // Opened from the menu, nothing is selected.
  const id = useNumberParam("id") ?? start ?? items?.[0]?.id ?? null;
  const picked = useMovingRange();
  const [search, changeSearch] = useSearch();
  const choose = (next: number): void => changeSearch(withParam("id", String(next)));
  const kept = new URLSearchParams(search);
  kept.delete("page");
  return (
    <div className={grid.page}>
      <PageHead
        title={title}
        actions={
          <Link className="w-link" to={back.to}>
            ← {back.label}
          </Link>
        }
      />
      <div className={styles.bar}>
        <Select
          aria-label={pick}
          placeholder={pick}
          className={styles.pick ?? ""}
          value={id}
          loading={items === undefined}
          options={(items ?? []).map((item) => ({ value: item.id, label: item.name }))}
          showSearch={{ optionFilterProp: "label" }}
          onChange={choose}
        />
        {aside && <span className={styles.aside}>{id !== null && aside(id)}</span>}
        <AutoRefreshSwitch />
      </div>
      {tabs.length > 1 && (
        <nav className={tabStyles.tabs} aria-label={title}>
          {tabs.map(({ key, label }) => (
            <Link
              key={key}
              to={{ pathname: `${folder}/${key}`, search: `?${kept}` }}
              aria-current={key === current ? "page" : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
      )}
      {id === null ? (
        items && <EmptyState kind="waiting" text={t("report.pickFirst")} />
      ) : (
        <>
          <RangeBar picked={picked} />
          <Zoomable picked={picked}>
            <div className={styles.charts} key={`${id} ${current}`}>
              {children(id, current, picked.range)}
            </div>
          </Zoomable>
        </>
      )}
    </div>
  );
}
