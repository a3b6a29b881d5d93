import type { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { actionText, useOperationTexts } from "#domains/access/parts/operations/action-text.ts";
import { useModules } from "#domains/access/parts/operations/modules.ts";
import { ToneCounts } from "#domains/devices/parts/node/tone-counts.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { Card } from "#ui/card.tsx";
import { type Glyph, StateCounts, StateText } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Money, moneyText } from "#ui/money.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { workplaceMessages } from "./messages.ts";
import styles from "./workplace.module.css";

export type Workplace = OutputOf<typeof workplace>;
type Alarm = Workplace["alarms"][number];

export const useWorkplaceTexts = () => useTexts(workplaceMessages);

const glyphs: Readonly<Record<Alarm["kind"], Glyph>> = {
  cpeOffline: "bad",
  popOffline: "bad",
  linkDown: "bad",
  expired: "bad",
  blocked: "warn",
  held: "warn",
  drift: "diff",
  enrolment: "run",
};

const placeOf = ({ kind, id, name }: Alarm): string => {
  if (kind === "enrolment") return paths.enrolment();
  if (kind === "linkDown") return withSearch(paths.links(), { status: 0 });
  if (kind === "popOffline") return paths.popDetail(id);
  return kind === "expired" ? withSearch(paths.cpe(), { alias: name }) : paths.cpeDetail(id);
};

function Rows({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}

/** Trouble first: what needs a person, the worst kind before the others. */
export function Attention({ data }: { readonly data: Workplace }) {
  const t = useWorkplaceTexts();
  const { alarms, attention } = data;
  const title = `${t("workplace.attention")} ${attention}`;
  if (attention === 0) {
    return (
      <Card title={t("workplace.attention")}>
        <EmptyState kind="good" text={t("workplace.attentionNone")} />
      </Card>
    );
  }
  return (
    <Card
      title={title}
      extra={
        attention > alarms.length && (
          <span className="w-quiet">
            {t("workplace.attentionMore", { count: attention, shown: alarms.length })}
          </span>
        )
      }
    >
      <Rows>
        {alarms.map((alarm) => (
          <li key={`${alarm.kind}-${alarm.id}`}>
            <StateText glyph={glyphs[alarm.kind]} label={t.code("attention", alarm.kind)} />
            <span className={styles.grow} title={`${alarm.name} ${alarm.enterpriseName}`}>
              {alarm.name} <span className="w-quiet">{alarm.enterpriseName}</span>
            </span>
            <TimeText value={alarm.since} form="since" />
            <Link className="w-link" to={placeOf(alarm)}>
              {t("workplace.go")}
            </Link>
          </li>
        ))}
      </Rows>
    </Card>
  );
}

/** How many of each are in which state; a click shows them. */
export function States({ counts }: { readonly counts: Workplace["counts"] }) {
  const t = useWorkplaceTexts();
  const { cpe, cpeTones, pop, popTones, link, linkUp } = counts;
  const linkTo = (to: string, text: string) => (
    <Link className="w-link" to={to}>
      {text}
    </Link>
  );
  const row = (label: ReactNode, value: ReactNode, key: string) => (
    <li key={key}>
      <span className={styles.grow}>{label}</span>
      {value}
    </li>
  );
  return (
    <Card title={t("workplace.states")}>
      <Rows>
        {row(
          linkTo(paths.cpe(), `${t("workplace.sites")} ${cpe}`),
          <ToneCounts counts={cpeTones} />,
          "cpe",
        )}
        {row(
          linkTo(paths.pop(), `${t("workplace.pops")} ${pop}`),
          <ToneCounts counts={popTones} />,
          "pop",
        )}
        {row(
          linkTo(paths.links(), `${t("workplace.links")} ${link}`),
          <StateCounts
            counts={[
              { glyph: "bad", count: link - linkUp, label: t("workplace.down") },
              { glyph: "ok", count: linkUp, label: t("workplace.up") },
            ]}
          />,
          "link",
        )}
        {row(linkTo(paths.netSpace(), t("workplace.spaces")), counts.netSpace, "space")}
        {row(linkTo(paths.enterprise(), t("workplace.enterprises")), counts.enterprise, "group")}
      </Rows>
    </Card>
  );
}

const expiringPath = { cpe: paths.cpe, pop: paths.pop, enterprise: paths.enterprise } as const;

/** What ends within the days that the enterprise calls soon. */
export function Expiring({ rows }: { readonly rows: Workplace["expiring"] }) {
  const t = useWorkplaceTexts();
  return (
    <Card title={t("workplace.expiring")}>
      {rows.length === 0 ? (
        <EmptyState kind="good" text={t("workplace.expiringNone")} />
      ) : (
        <Rows>
          {rows.map(({ kind, id, name, expireTime }) => (
            <li key={`${kind}-${id}`}>
              <StateText
                glyph="warn"
                label={kind === "enterprise" ? t.field("groupid") : t.code("kind", kind)}
              />
              <Link className={`w-link ${styles.grow}`} to={expiringPath[kind]()}>
                {name}
              </Link>
              <TimeText value={expireTime} form="stamp" />
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}

/** Who changed what last. */
export function Changes({ rows }: { readonly rows: Workplace["changes"] }) {
  const t = useWorkplaceTexts();
  const texts = useOperationTexts();
  const modules = useModules(t.language);
  return (
    <Card
      title={t("workplace.changes")}
      extra={
        <Link className="w-link" to={paths.operaRecord()}>
          {texts("act.details")}
        </Link>
      }
    >
      {rows.length === 0 ? (
        <EmptyState kind="good" text={t("workplace.changesNone")} />
      ) : (
        <Rows>
          {rows.map((row) => (
            <li key={row.id}>
              <span className={styles.grow}>
                {row.loginName} · {actionText(row.action, texts)} · {modules.textOf(row.module)}{" "}
                <span className="w-quiet">{row.rowName}</span>
              </span>
              <TimeText value={row.createTime} form="since" />
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}

/** Deliveries under way. */
export function Deliveries({ tasks }: { readonly tasks: Workplace["tasks"] }) {
  const t = useWorkplaceTexts();
  return (
    <Card title={t("workplace.tasks")}>
      <KeyValue
        items={[
          { label: t("workplace.waiting"), value: tasks.waiting },
          { label: t("workplace.pulled"), value: tasks.pulled },
          {
            label: t("workplace.failed"),
            value: <span className={tasks.failed > 0 ? "w-bad" : ""}>{tasks.failed}</span>,
          },
        ]}
      />
    </Card>
  );
}

/** Customers of the user's own enterprise, the one nearest to its limit first. */
export function Customers({ rows }: { readonly rows: Workplace["customers"] }) {
  const t = useWorkplaceTexts();
  const may = useMay();
  const seesMoney = may("enterpriseBillingPerm");
  const add = {
    label: t("workplace.addEnterprise"),
    to: withSearch(paths.enterprise(), { open: "add" }),
  };
  return (
    <Card title={t("workplace.customers")}>
      {rows.length === 0 ? (
        <EmptyState
          kind="good"
          text={t("workplace.customersNone")}
          {...(may("enterpriseAdd") && { action: add })}
        />
      ) : (
        <Rows>
          {rows.map((row) => (
            <li key={row.groupid}>
              <Link
                className={`w-link ${styles.grow}`}
                to={withSearch(paths.cpe(), { groupid: row.groupid })}
              >
                {row.name}
              </Link>
              <ToneCounts counts={row.tones} />
              {seesMoney && <Money value={row.balance} />}
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}

/** The balance of the user's own enterprise. */
export function Credit({ data }: { readonly data: Workplace }) {
  const t = useWorkplaceTexts();
  const { balance, creditLimit } = data;
  return (
    <Card
      title={t("workplace.ownCredit")}
      extra={
        <Link className="w-link" to={paths.dealRecord()}>
          {t("act.details")}
        </Link>
      }
    >
      <div className={styles.metric}>
        <Money value={balance} />
      </div>
      {creditLimit > 0 && (
        <span className="w-quiet">
          {t("workplace.usable", { amount: moneyText(balance + creditLimit) })}
        </span>
      )}
    </Card>
  );
}

/** Of an empty installation: what to do first, in which order. */
export function Start({ counts }: { readonly counts: Workplace["counts"] }) {
  const t = useWorkplaceTexts();
  const steps = [
    { key: "startPop", isDone: counts.popOnline > 0, to: paths.pop() },
    { key: "startEnterprise", isDone: counts.enterprise > 1, to: paths.enterprise() },
    { key: "startSite", isDone: counts.cpe > 0, to: paths.cpe() },
    { key: "startSpace", isDone: counts.netSpace > 0, to: paths.netSpace() },
  ] as const;
  return (
    <Card title={t("workplace.start")}>
      <Rows>
        {steps.map(({ key, isDone, to }) => (
          <li key={key}>
            <StateText
              glyph={isDone ? "ok" : "off"}
              label={t(isDone ? "workplace.done" : "workplace.todo")}
            />
            <Link className={`w-link ${styles.grow}`} to={to}>
              {t(`workplace.${key}`)}
            </Link>
          </li>
        ))}
      </Rows>
    </Card>
  );
}
