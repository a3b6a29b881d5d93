import { LineChart } from "#parts/chart/line-chart.tsx";
import { percents } from "#parts/chart/value-texts.ts";
import { PageHead } from "#ui/page-head.tsx";
import { Feedback } from "./feedback.tsx";
import { FieldStates, Fields } from "./fields.tsx";
import styles from "./kernel-show.module.css";
import { sampleSeries } from "./sample-rows.ts";
import { useShowTexts } from "./show-texts.ts";
import { StateIcons, Values } from "./state-icons.tsx";
import { Columns, ListStates } from "./tables.tsx";

/** /dev/kernel: every column, field, sign and state that screens are made of, on sample rows. */
export default function KernelPage() {
  const t = useShowTexts();
  return (
    <>
      <PageHead
        title={t("show.title")}
        aside={<span className="w-quiet">{t("show.about")}</span>}
      />
      <div className="w-card-grid">
        <StateIcons />
        <Values />
        <div className="w-wide">
          <Columns />
        </div>
        <div className="w-wide">
          <ListStates />
        </div>
        <Fields />
        <div className={styles.stack}>
          <FieldStates />
          <Feedback />
          <LineChart title={t("show.chart")} series={sampleSeries} measure={percents} />
        </div>
      </div>
    </>
  );
}
