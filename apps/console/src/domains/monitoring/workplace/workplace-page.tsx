import { beginning } from "@weft/contract/domains/monitoring/beginning.ts";
import { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import Button from "antd/es/button";
import { useMemo, useState } from "react";
import { useMay, useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { ExpiringCard } from "#domains/monitoring/parts/expiring/expiring-card.tsx";
import { CauseList } from "#domains/notifications/parts/cause/cause-list.tsx";
import { AsOf } from "#feedback/as-of.tsx";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { rates } from "#parts/chart/value-texts.ts";
import { Card } from "#ui/card.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { type Beginning, BeginningCard, planOf } from "./beginning-card.tsx";
import { HeatMap } from "./heat-map.tsx";
import { useWorkplaceTexts, type Workplace } from "./messages.ts";
import { type Choice, useChoice } from "./use-choice.ts";
import styles from "./workplace.module.css";
import * as cards from "./workplace-cards.tsx";

/** Steps tick while a user works on a device beside the screen. */
const every = 5_000;

const keyOf = (userId: number): string => `beginning.${userId}`;
const isPutAway = (userId: number): boolean => {
  try {
    return localStorage.getItem(keyOf(userId)) === "hidden";
  } catch {
    return false;
  }
};
const putAway = (userId: number, isHidden: boolean): void => {
  try {
    if (isHidden) localStorage.setItem(keyOf(userId), "hidden");
    else localStorage.removeItem(keyOf(userId));
  } catch {
    // Where nothing can be stored it lasts as long as the page.
  }
};

interface UsedBeginning {
  /** Null: the first site lives, and did when the page was opened. */
  readonly data: Beginning | null;
  readonly isHidden: boolean;
  readonly setHidden: (isHidden: boolean) => void;
}

/**
 * The way to a first living site: asked for while no link is up, and until the page is left once it is over.
 * @param counts undefined: not known yet
 */
function useBeginning(counts: Workplace["counts"] | undefined): UsedBeginning {
  const { userId } = useSession();
  const [isHidden, setHidden] = useState(() => isPutAway(userId));
  const [wasOpen, setOpen] = useState(false);
  const isNeeded = wasOpen || counts?.linkUp === 0;
  const { data } = useCall(beginning, isNeeded ? {} : null, { every });
  const isOpen = data !== undefined && !data.done.includes("packet");
  if (isOpen && !wasOpen) setOpen(true);
  return {
    data: data && (isOpen || wasOpen) ? data : null,
    isHidden,
    setHidden: (next) => {
      putAway(userId, next);
      setHidden(next);
    },
  };
}

interface Props {
  readonly data: Pick<Workplace, "causes" | "causeCount" | "heat">;
  readonly choice: Choice;
  readonly choose: (next: Choice) => void;
}

const nothing: Choice = { popId: null, isp: null };

/** Trouble first: what is wrong now by its causes, each with its extent and one way on. */
export function Now({ data, choice, choose }: Props) {
  const t = useWorkplaceTexts();
  const { causes, causeCount, heat } = data;
  const pop = heat.pops.find(({ id }) => id === choice.popId)?.name;
  const what = [
    ...(choice.popId === null ? [] : [`POP ${pop ?? choice.popId}`]),
    ...(choice.isp === null ? [] : [choice.isp]),
  ].join(" · ");
  const isChosen = what !== "";
  const clear = (
    <>
      <span className="w-quiet">{t("workplace.choice", { what })} </span>
      <button type="button" className="w-link-button" onClick={() => choose(nothing)}>
        {t("act.clear")}
      </button>
    </>
  );
  const more = { count: causeCount, shown: causes.length };
  return (
    <Card
      title={causeCount > 0 ? `${t("workplace.now")} ${causeCount}` : t("workplace.now")}
      extra={
        isChosen
          ? clear
          : causeCount > causes.length && (
              <span className="w-quiet">{t("workplace.nowMore", more)}</span>
            )
      }
    >
      {causes.length === 0 ? (
        <EmptyState
          kind="good"
          text={isChosen ? t("workplace.nowNoneOf", { what }) : t("workplace.nowNone")}
        />
      ) : (
        <CauseList causes={causes} />
      )}
    </Card>
  );
}

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
