import { formatMessage } from "@weft/contract/kernel/message.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { ToneCounts } from "#domains/devices/parts/node/tone-counts.tsx";
import { levelGlyph } from "#domains/notifications/parts/alarm/level-glyph.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import { Card } from "#ui/card.tsx";
import { StateCounts, StateText } from "#ui/glyph.tsx";
import { Money, moneyText } from "#ui/money.tsx";
import { Rows } from "#ui/rows.tsx";
import { Sentence } from "#ui/sentence.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { useWorkplaceTexts, type Workplace } from "./messages.ts";
import styles from "./workplace.module.css";

/** Open alarms by severity; each leads to those alarms. */
export function Alarms({ rows }: { readonly rows: Workplace["alarms"] }) {
  const t = useWorkplaceTexts();
  return (
    <Card title={t("workplace.alarms")}>
      {rows.every(({ open }) => open === 0) ? (
        <EmptyState kind="good" text={t("workplace.alarmsNone")} />
      ) : (
        <Rows>
          {rows.map(({ level, open, waiting }) => (
            <li key={level}>
              <span className={styles.grow}>
                <StateText glyph={levelGlyph[level]} label={t.code("alarmLevel", level)} />
              </span>
              {waiting > 0 && (
                <span className="w-quiet">
                  {waiting === open
                    ? t("workplace.alarmsAllWait")
                    : t("workplace.alarmsWaiting", { count: waiting })}
                </span>
              )}
              {open > 0 ? (
                <Link
                  className="w-link"
                  aria-label={`${open} ${t.code("alarmLevel", level)}`}
                  to={withSearch(paths.alarms(), { active: 1, level })}
                >
                  {open}
                </Link>
              ) : (
                open
              )}
            </li>
          ))}
        </Rows>
      )}
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

interface ChangesProps {
  readonly rows: Workplace["changes"];
  readonly count: number;
}

/** Who changed what in the last 24 hours, the newest first. */
export function Changes({ rows, count }: ChangesProps) {
  const t = useWorkplaceTexts();
  return (
    <Card
      title={t("workplace.changes")}
      extra={
        <>
          {count > rows.length && (
            <span className="w-quiet">{t("workplace.changesMore", { count })} </span>
          )}
          <Link className="w-link" to={paths.operaRecord()}>
            {t("act.details")}
          </Link>
        </>
      }
    >
      {rows.length === 0 ? (
        <EmptyState kind="good" text={t("workplace.changesNone")} />
      ) : (
        <Rows>
          {rows.map((row) => (
            <li key={row.id}>
              <span className={styles.grow} title={formatMessage(row.story, t.language)}>
                {formatMessage(row.story, t.language)}
              </span>
              <TimeText value={row.createTime} form="since" />
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}

const rolloutGlyph = { running: "run", waiting: "warn", halted: "warn" } as const;

interface DeliveriesProps {
  readonly tasks: Workplace["tasks"];
  readonly rollouts: Workplace["rollouts"];
}

/** Deliveries under way, and templates that go out in waves. */
export function Deliveries({ tasks, rollouts }: DeliveriesProps) {
  const t = useWorkplaceTexts();
  const counts = [
    [t("workplace.waiting"), tasks.waiting, ""],
    [t("workplace.pulled"), tasks.pulled, ""],
    [t("workplace.failed"), tasks.failed, tasks.failed > 0 ? "w-bad" : ""],
  ] as const;
  return (
    <Card title={t("workplace.tasks")}>
      <Rows>
        {counts.map(([label, count, mark]) => (
          <li key={label}>
            <span className={styles.grow}>{label}</span>
            <span className={mark}>{count}</span>
          </li>
        ))}
        {rollouts.map(({ templateId, name, state, ...numbers }) => (
          <li key={templateId} className={styles.wrapping}>
            <Link className="w-link" to={paths.templateSection(templateId)}>
              {name}
            </Link>
            <Sentence glyph={rolloutGlyph[state]} text={t(`workplace.rollout.${state}`, numbers)} />
          </li>
        ))}
      </Rows>
    </Card>
  );
}

/** Customers of the user's own enterprise, those with most trouble first. */
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
              <Link className={`w-link ${styles.grow}`} to={paths.enterprisePage(row.groupid)}>
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
