import { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import Button from "antd/es/button";
import { useMemo } from "react";
import { useMay, useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { ExpiringCard } from "#domains/monitoring/parts/expiring/expiring-card.tsx";
import { AsOf } from "#feedback/as-of.tsx";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { rates } from "#parts/chart/value-texts.ts";
import { Card } from "#ui/card.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { type Beginning, BeginningCard, planOf } from "./beginning-card.tsx";
import { HeatMap } from "./heat-map.tsx";
import { Now } from "./now-card.tsx";
import { useBeginning } from "./use-beginning.ts";
import { type Choice, useChoice } from "./use-choice.ts";
import styles from "./workplace.module.css";
import * as cards from "./workplace-cards.tsx";
import { useWorkplaceTexts, type Workplace } from "./workplace-texts.ts";

/** Charts refresh every 30 s (specification section 9); so does the content beside this one. */
const workplaceEvery = 30_000;

/** The first screen: trouble first by its causes, then where it is, then what goes on. */
export default function WorkplacePage() {
  const t = useWorkplaceTexts();
  const [choice, choose] = useChoice();
  const result = useCall(workplace, choice, { every: workplaceEvery, keep: true });
  const { data, error, refetch, asOf, isStale } = result;
  const guide = useBeginning(data?.counts);
  return (
    <>
      <PageHead
        title={t("workplace.title")}
        actions={
          <>
            {guide.data && guide.isHidden && (
              <Continue data={guide.data} show={() => guide.setHidden(false)} />
            )}
            <AsOf at={asOf} isOld={isStale} />
          </>
        }
      />
      {guide.data && !guide.isHidden && (
        <div className={styles.first}>
          <BeginningCard data={guide.data} close={() => guide.setHidden(true)} />
        </div>
      )}
      {!data && (error ? <Failed error={error} retry={refetch} /> : <Loading rows={8} />)}
      {data && <Cards data={data} choice={choice} choose={choose} />}
    </>
  );
}

interface ContinueProps {
  readonly data: Beginning;
  readonly show: () => void;
}

/** Takes up again what was put away. */
function Continue({ data, show }: ContinueProps) {
  const t = useWorkplaceTexts();
  const may = useMay();
  if (data.done.includes("packet")) return null;
  const { done, all } = planOf(data, may);
  return (
    <Button size="small" onClick={show}>
      {t("beginning.show", { done, all })}
    </Button>
  );
}

interface CardsProps {
  readonly data: Workplace;
  readonly choice: Choice;
  readonly choose: (next: Choice) => void;
}

function Cards({ data, choice, choose }: CardsProps) {
  const { counts, heat, causeCount } = data;
  const isEmpty = counts.cpe === 0;
  return (
    <div className={styles.cards}>
      <div className={styles.stack}>
        {(!isEmpty || causeCount > 0) && <Now data={data} choice={choice} choose={choose} />}
        {heat.cells.length > 0 && <HeatMap heat={heat} choice={choice} choose={choose} />}
        {!isEmpty && <Traffic points={data.traffic} />}
        <cards.Changes rows={data.changes} count={data.changeCount} />
      </div>
      <div className={styles.stack}>
        <cards.Alarms rows={data.alarms} />
        <cards.States counts={counts} />
        <Role data={data} />
        <ExpiringCard rows={data.expiring} />
      </div>
    </div>
  );
}

/** What concerns the kind of user: sellers their customers, buyers their credit, operators both. */
function Role({ data }: { readonly data: Workplace }) {
  const { roleType } = useSession();
  const may = useMay();
  const [isController, isAgent] = [roleType === 0, roleType === 1];
  return (
    <>
      <cards.Deliveries tasks={data.tasks} rollouts={data.rollouts} />
      {(isController || isAgent || data.customers.length > 0) && (
        <cards.Customers rows={data.customers} />
      )}
      {!isController && may("enterpriseBillingPerm") && <cards.Credit data={data} />}
    </>
  );
}

function Traffic({ points }: { readonly points: Workplace["traffic"] }) {
  const t = useWorkplaceTexts();
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
