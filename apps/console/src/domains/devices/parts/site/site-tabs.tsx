import type { SiteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { Link } from "react-router";
import { useMayOpen } from "#client/may-open.ts";
import { useSearch } from "#client/search.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import styles from "#domains/devices/parts/site/site-frame.module.css";
import tabStyles from "#ui/tabs.module.css";
import { type SiteTab, sitePath, tabsOf } from "./tabs.ts";

const sitePageMessages = defineMessages({
  "sitePage.tabs": ["{name} 的页面", "Pages of {name}"],
  "sitePage.tab.overview": ["概览", "Overview"],
  "sitePage.tab.paths": ["路径", "Paths"],
  "sitePage.tab.traffic": ["流量", "Traffic"],
  "sitePage.tab.applications": ["应用", "Applications"],
  "sitePage.tab.configuration": ["配置", "Configuration"],
  "sitePage.tab.changes": ["变更", "Changes"],
  "sitePage.tab.logs": ["日志", "Logs"],
});

interface Props {
  readonly overview: SiteOverview;
  readonly tab: SiteTab;
}

/** The pages of a site; each keeps the range that is looked at. */
export function SiteTabs({ overview, tab }: Props) {
  const t = useTexts(sitePageMessages);
  const may = useMay();
  const mayOpen = useMayOpen();
  const [search] = useSearch();
  const { node } = overview;
  // The changes are those of the operation log, which a role may not give.
  const isOpen = (key: SiteTab): boolean => key === tab || mayOpen(sitePath(node, key));
  const mayConfigure = may(node.kind === "cpe" ? "cpeConfig" : "popConfig");
  return (
    <nav
      className={`${tabStyles.tabs ?? ""} ${styles.tabs ?? ""}`}
      aria-label={t("sitePage.tabs", { name: node.name })}
    >
      {tabsOf(overview, tab, mayConfigure)
        .filter(isOpen)
        .map((key) => (
          <Link
            key={key}
            to={sitePath(node, key, { range: search.get("range") })}
            aria-current={key === tab ? "page" : undefined}
          >
            {t(`sitePage.tab.${key}`)}
          </Link>
        ))}
    </nav>
  );
}
