import { cpeLog } from "@weft/contract/domains/monitoring/node-log.ts";
import { SiteFrame } from "#domains/devices/parts/site/site-frame.tsx";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useNodeLogTexts } from "./log-columns.ts";
import { LogTable } from "./log-tables.tsx";
import styles from "./site-logs.module.css";

const rankings = ["appRank", "userRank"] as const;

/** What the traffic of a site is, and whose. */
export default function SiteApplicationsPage() {
  const t = useNodeLogTexts();
  return (
    <SiteFrame tab="applications">
      {({ overview: { node }, picked }) => (
        <>
          <RangeBar picked={picked} />
          <div className={styles.pair}>
            {rankings.map((tab) => (
              <section key={tab} aria-label={t(`nodeLog.${tab}`)}>
                <h2>{t(`nodeLog.${tab}`)}</h2>
                <LogTable calls={cpeLog} tab={tab} id={node.id} range={picked.range} />
              </section>
            ))}
          </div>
        </>
      )}
    </SiteFrame>
  );
}
