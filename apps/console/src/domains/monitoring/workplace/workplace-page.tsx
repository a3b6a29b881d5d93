import { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import { useMemo } from "react";
import { useMay, useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { AsOf } from "#feedback/as-of.tsx";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { rates } from "#parts/chart/value-texts.ts";
import { Card } from "#ui/card.tsx";
import { PageHead } from "#ui/page-head.tsx";
import styles from "./workplace.module.css";
import * as cards from "./workplace-cards.tsx";

/** Charts refresh every 30 s (specification section 9); so does the content beside this one. */
const workplaceEvery = 30_000;

/** The first screen: trouble first, then states, traffic, what ends, what changed. */
export default function WorkplacePage() {
  const t = cards.useWorkplaceTexts();
  const { data, error, refetch, asOf, isStale } = useCall(workplace, {}, { every: workplaceEvery });
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Loading rows={8} />;
  const isEmpty = data.counts.cpe === 0 || data.counts.netSpace === 0;
  return (
    <>
      <PageHead title={t("workplace.title")} actions={<AsOf at={asOf} isOld={isStale} />} />
      <div className={styles.cards}>
        <div className={styles.stack}>
          {isEmpty && <cards.Start counts={data.counts} />}
          <cards.Attention data={data} />
          <Traffic points={data.traffic} />
          <cards.Changes rows={data.changes} />
        </div>
        <div className={styles.stack}>
          <cards.States counts={data.counts} />
          <Role data={data} />
          <cards.Expiring rows={data.expiring} />
        </div>
      </div>
    </>
  );
}

/** What concerns the kind of user: sellers their customers, buyers their credit, operators both. */
function Role({ data }: { readonly data: cards.Workplace }) {
  const { roleType } = useSession();
  const may = useMay();
  const [isController, isAgent] = [roleType === 0, roleType === 1];
  return (
    <>
      {(isController || isAgent || data.customers.length > 0) && (
        <cards.Customers rows={data.customers} />
      )}
      {!isController && may("enterpriseBillingPerm") && <cards.Credit data={data} />}
      {!isAgent && <cards.Deliveries tasks={data.tasks} />}
    </>
  );
}

function Traffic({ points }: { readonly points: cards.Workplace["traffic"] }) {
  const t = cards.useWorkplaceTexts();
  const series = useMemo(
    () => [
      {
        name: t("workplace.in"),
        points: points.map(({ time, inRate }) => ({ at: time, value: inRate })),
      },
      {
        name: t("workplace.out"),
        points: points.map(({ time, outRate }) => ({ at: time, value: outRate })),
      },
    ],
    [points, t],
  );
  if (points.length === 0) {
    return (
      <Card title={t("workplace.traffic")}>
        <EmptyState kind="waiting" text={t("workplace.trafficNone")} />
      </Card>
    );
  }
  return <LineChart title={t("workplace.traffic")} series={series} measure={rates} />;
}
