import { cpeLog, popLog } from "@weft/contract/domains/monitoring/node-log.ts";
import Segmented from "antd/es/segmented";
import { useSearch, withParam } from "#client/search.ts";
import { type OpenSite, SiteFrame } from "#domains/devices/parts/site/site-frame.tsx";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useNodeLogTexts } from "./log-columns.ts";
import { LogTable } from "./log-tables.tsx";
import { SearchedSessions, SearchedVisits } from "./searched-logs.tsx";
import styles from "./site-logs.module.css";

/** Logs of the page; rankings are tabs of their own. */
const ofEvery = ["log", "lineLog", "urlVisitLog", "con"] as const;
const ofSite = [...ofEvery, "session"] as const;
const parameter = "log";

/** What a site or POP recorded: changes of state, web visits, connections, sessions. */
export default function SiteLogsPage() {
  return <SiteFrame tab="logs">{(site) => <Logs {...site} />}</SiteFrame>;
}

function Logs({ overview: { node }, picked }: OpenSite) {
  const t = useNodeLogTexts();
  const [search, changeSearch] = useSearch();
  const logs = node.kind === "cpe" ? ofSite : ofEvery;
  const log = logs.find((log) => log === search.get(parameter)) ?? "log";
  const of = { id: node.id, range: picked.range };
  return (
    <>
      <div className={styles.bar}>
        <Segmented
          aria-label={t("nodeLog.which")}
          value={log}
          onChange={(next) => changeSearch(withParam(parameter, next))}
          options={logs.map((value) => ({ value, label: t(`nodeLog.${value}`) }))}
        />
        <RangeBar picked={picked} />
      </div>
      <div key={log}>
        {log === "session" ? (
          <SearchedSessions {...of} />
        ) : log === "urlVisitLog" && node.kind === "cpe" ? (
          <SearchedVisits {...of} />
        ) : (
          <LogTable calls={node.kind === "cpe" ? cpeLog : popLog} tab={log} {...of} />
        )}
      </div>
    </>
  );
}
