import {
  type EnterpriseHealth,
  enterpriseOverview,
} from "@weft/contract/domains/monitoring/enterprise-overview.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { useMayOpen } from "#client/may-open.ts";
import { useNameOfPage } from "#client/page-name.ts";
import { paths, useBackTo, useNumberParam, withSearch } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { healthGlyphs } from "#parts/health/health-glyphs.ts";
import { healthMessages } from "#parts/health/messages.ts";
import { DetailHead } from "#ui/detail-head.tsx";
import { type StateLabel, StateText } from "#ui/glyph.tsx";
import { InsidePage } from "#ui/page-head.tsx";
import { Sentence } from "#ui/sentence.tsx";
import tabStyles from "#ui/tabs.module.css";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./enterprise-frame.module.css";
import { enterpriseHealthMessages } from "./messages.ts";

/** What the health of an enterprise is called, and its sentence. */
export const useGroupTexts = () => useTexts(enterpriseHealthMessages, healthMessages);
type GroupTexts = ReturnType<typeof useGroupTexts>;

/** Icon and label. */
export const enterpriseState = ({ tone, reason }: EnterpriseHealth, t: GroupTexts): StateLabel => ({
  glyph: healthGlyphs[tone],
  label: t(`group.label.${reason}`),
});

/** The sentence of the cause. */
export function enterpriseSentence(health: EnterpriseHealth, t: GroupTexts): string {
  const { reason, state, count, of, site } = health;
  const isAll = reason !== "well" || count === of;
  return t(isAll ? `group.because.${reason}` : "group.because.wellOf", {
    count,
    of,
    name: site?.name ?? "",
    state: t(`node.health.${state ?? "none"}`),
  });
}

export type Overview = OutputOf<typeof enterpriseOverview>;

/** Tabs of an enterprise in their order, and who sees something in them. */
const tabs = {
  overview: () => true,
  // Where sites are added; an agent's are at its customers.
  sites: ({ has, isAgent }: Overview) => has.cpe > 0 || !isAgent,
  customers: ({ isAgent, customers }: Overview) => isAgent || customers > 0,
  spaces: () => true,
  traffic: ({ has }: Overview) => has.cpe > 0,
  accounts: ({ has }: Overview) => has.account > 0,
  changes: () => true,
} as const satisfies Readonly<Record<string, (overview: Overview) => boolean>>;
type Tab = keyof typeof tabs;

const overviewEvery = 30_000;

interface Props {
  readonly tab: Tab;
  readonly children: (groupid: number, overview: Overview) => ReactNode;
}

/** The page of one enterprise: the same head over all its tabs. Without an id it is that of the user's own. */
export function EnterpriseFrame({ tab, children }: Props) {
  const t = useGroupTexts();
  const { groupid: ownGroupid } = useSession();
  const groupid = useNumberParam("groupid") ?? ownGroupid;
  const { data, error, refetch } = useCall(
    enterpriseOverview,
    { groupid },
    { every: overviewEvery },
  );
  const known = data?.groupid === groupid ? data : null;
  useNameOfPage(paths.enterprisePages(), known?.name ?? null);
  if (known === null) {
    if (error?.code === 404) {
      const action = { label: t("group.back"), to: paths.enterprise() };
      return <EmptyState kind="good" text={t("group.notFound")} action={action} />;
    }
    return error ? <Failed error={error} retry={refetch} /> : <Loading rows={12} />;
  }
  return (
    <>
      <Head overview={known} />
      <Tabs overview={known} tab={tab} />
      <InsidePage value={true}>
        <div key={groupid} className={styles.inside}>
          {children(groupid, known)}
        </div>
      </InsidePage>
    </>
  );
}

function Head({ overview }: { readonly overview: Overview }) {
  const t = useGroupTexts();
  const { groupid: ownGroupid } = useSession();
  const { groupid, name, health } = overview;
  return (
    <DetailHead
      back={
        <Link className="w-link" to={useBackTo(paths.enterprise())}>
          ← {t("group.back")}
        </Link>
      }
      title={name}
      state={<StateText {...enterpriseState(health, t)} />}
      aside={
        <>
          {groupid === ownGroupid && <span className="w-quiet">{t("group.own")}</span>}
          {overview.isAgent && <span className="w-quiet">{t.field("isAgent")}</span>}
        </>
      }
      sentence={<Verdict health={health} />}
      actions={<Actions overview={overview} />}
    />
  );
}

/** Why it is called so, since when, and the site that shows it. */
function Verdict({ health }: { readonly health: EnterpriseHealth }) {
  const t = useGroupTexts();
  const { site, since } = health;
  return (
    <div className={styles.verdict}>
      <Sentence glyph={enterpriseState(health, t).glyph} text={enterpriseSentence(health, t)} />
      {since && (
        <span className="w-quiet">
          <TimeText value={since} form="since" />
        </span>
      )}
      {site && (
        <Link className="w-link" to={paths.cpeDetail(site.id)}>
          {t("group.evidence", { name: site.name })}
        </Link>
      )}
    </div>
  );
}

/** What is done in the list of enterprises is done there: its drawers open over the row. */
function Actions({ overview: { groupid, name } }: { readonly overview: Overview }) {
  const t = useGroupTexts();
  const may = useMay();
  const navigate = useNavigate();
  const open = (what: string): void => {
    void navigate(withSearch(paths.enterprise(), { name, open: `${what}-${groupid}` }));
  };
  return (
    <>
      <Button onClick={() => open("details")}>{t("group.more")}</Button>
      {may("enterpriseEdit") && <Button onClick={() => open("edit")}>{t("group.edit")}</Button>}
    </>
  );
}

function Tabs({ overview, tab }: { readonly overview: Overview; readonly tab: Tab }) {
  const t = useGroupTexts();
  const { groupid, name } = overview;
  const mayOpen = useMayOpen();
  const shown = (Object.keys(tabs) as Tab[]).filter(
    (key) => key === tab || (tabs[key](overview) && mayOpen(paths.enterprisePage(groupid, key))),
  );
  return (
    <nav
      className={`${tabStyles.tabs ?? ""} ${styles.tabs ?? ""}`}
      aria-label={t("group.tabs", { name })}
    >
      {shown.map((key) => (
        <Link
          key={key}
          to={paths.enterprisePage(groupid, key)}
          aria-current={key === tab ? "page" : undefined}
        >
          {t(`group.tab.${key}`)}
        </Link>
      ))}
    </nav>
  );
}
