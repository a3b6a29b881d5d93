import Button from "antd/es/button";
import { CallError } from "#client/call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useToast } from "#feedback/toast.tsx";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { percents } from "#parts/chart/value-texts.ts";
import { Card } from "#ui/card.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { FieldStates, Fields } from "./fields.tsx";
import styles from "./kernel-show.module.css";
import { sampleSeries } from "./sample-rows.ts";
import { useShowTexts } from "./show-texts.ts";
import { StateIcons, Values } from "./state-icons.tsx";
import { Columns, ListStates } from "./tables.tsx";

/** What answers a person: toasts and questions. */
function Feedback() {
  const t = useShowTexts();
  const toast = useToast();
  const confirm = useConfirm();
  const question = {
    title: t("show.askTitle"),
    body: t("show.askBody"),
    ok: t("show.askOk"),
    danger: true,
  };
  const refusal = () => new CallError("refused", t("show.error"), { code: 500 });
  return (
    <Card title={t("show.feedback")}>
      <div className={styles.wrapped}>
        <Button onClick={() => toast.done()}>{t("show.toast")}</Button>
        <Button onClick={() => toast.failed(refusal())}>{t("show.refusal")}</Button>
        <Button onClick={() => void confirm(question)}>{t("show.ask")}</Button>
        <Button danger onClick={() => void confirm({ ...question, typed: t("show.site") })}>
          {t("show.askTyped")}
        </Button>
      </div>
    </Card>
  );
}

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
