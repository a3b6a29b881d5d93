import { defineMessages } from "@weft/contract/kernel/message.ts";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { healthSentence, healthState } from "#domains/devices/parts/node/health.ts";
import { useNodeTexts } from "#domains/devices/parts/node/node-texts.ts";
import { ToneCounts } from "#domains/devices/parts/node/tone-counts.tsx";
import type { Overview } from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import { levelGlyph } from "#domains/notifications/parts/alarm/level-glyph.ts";
import { CauseList } from "#domains/notifications/parts/cause/cause-list.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { Rows } from "#ui/rows.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./enterprise-overview.module.css";

const enterpriseOverviewMessages = defineMessages({
  "overview.sites": ["需要处理的站点", "Sites that need attention"],
  "overview.sitesNone": ["没有需要处理的站点", "No site needs attention"],
  "overview.allSites": ["全部站点", "All sites"],
  "overview.allCustomers": ["下级企业", "Customers"],
  "overview.causes": ["当前问题", "Now"],
  "overview.causesMore": ["共 {count} 项", "{count} in total"],
  "overview.causesNone": [
    "当前没有影响该企业的问题",
    "Nothing is wrong that concerns this enterprise",
  ],
  "overview.states": ["状态", "States"],
  "overview.ownSites": ["本企业站点", "Own sites"],
  "overview.customerSites": ["下级企业站点", "Sites of customers"],
  "overview.alarms": ["未恢复告警", "Active alarms"],
  "overview.alarmsNone": ["当前无告警", "No active alarms"],
  "overview.waiting": ["{count} 条未确认", "{count} not acknowledged"],
  "overview.quota": ["数量与期限", "Amounts and terms"],
  "overview.ofLimit": ["{count} / {limit}", "{count} of {limit}"],
  "overview.noLimit": ["{count}，不限", "{count}, no limit"],
  "overview.over": ["已达上限", "Limit reached"],
  "overview.cpes": ["CPE", "CPEs"],
  "overview.accounts": ["终端账号", "Terminal accounts"],
  "overview.users": ["用户", "Users"],
  "overview.pops": ["自有 POP", "Own POPs"],
  "overview.circuits": ["专线", "Circuits"],
  "overview.spaces": ["网络空间", "Network spaces"],
  "overview.ends": ["服务到期", "Term ends"],
  "overview.forever": ["长期有效", "No expiry"],
  "overview.balance": ["余额", "Balance"],
  "overview.contact": ["联系方式", "Contact"],
  "overview.parent": ["上级企业", "Parent enterprise"],
});

export const useOverviewTexts = () => useTexts(enterpriseOverviewMessages);

interface Props {
  readonly overview: Overview;
}

/** What is wrong now that concerns the enterprise, by its causes. */
export function Causes({ overview: { causes, causeCount } }: Props) {
  const t = useOverviewTexts();
  return (
    <Card
      title={causeCount > 0 ? `${t("overview.causes")} ${causeCount}` : t("overview.causes")}
      extra={
        causeCount > causes.length && (
          <span className="w-quiet">{t("overview.causesMore", { count: causeCount })}</span>
        )
      }
    >
      {causes.length === 0 ? (
        <EmptyState kind="good" text={t("overview.causesNone")} />
      ) : (
        <CauseList causes={causes} />
      )}
    </Card>
  );
}

/** Sites that are bad or need attention, the worst first. */
export function TroubledSites({ overview: { sites, groupid, has } }: Props) {
  const t = useOverviewTexts();
  const ofNodes = useNodeTexts();
  return (
    <Card
      title={t("overview.sites")}
      extra={
        <Link
          className="w-link"
          to={paths.enterprisePage(groupid, has.cpe > 0 ? "sites" : "customers")}
        >
          {t(has.cpe > 0 ? "overview.allSites" : "overview.allCustomers")}
        </Link>
      }
    >
      {sites.length === 0 ? (
        <EmptyState kind="good" text={t("overview.sitesNone")} />
      ) : (
        <Rows>
          {sites.map((site) => (
            <li key={site.id}>
              <StateText {...healthState(site, ofNodes)} />
              <Link className="w-link" to={paths.cpeDetail(site.id)}>
                {site.name}
              </Link>
              <span className={`w-quiet ${styles.grow}`}>{healthSentence(site, ofNodes)}</span>
              {site.groupid !== groupid && (
                <Link className="w-link" to={paths.enterprisePage(site.groupid)}>
                  {site.enterpriseName}
                </Link>
              )}
              {site.health !== "offline" && <TimeText value={site.healthSince} form="since" />}
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}

/** Sites by state; each count leads to those sites. */
export function States({ overview }: Props) {
  const t = useOverviewTexts();
  const { tones, customerTones, has, customers, isAgent, groupid } = overview;
  return (
    <Card title={t("overview.states")}>
      <Rows>
        <li>
          <span className={styles.grow}>
            {has.cpe > 0 ? (
              <Link className="w-link" to={paths.enterprisePage(groupid, "sites")}>
                {`${t("overview.ownSites")} ${has.cpe}`}
              </Link>
            ) : (
              `${t("overview.ownSites")} 0`
            )}
          </span>
          <ToneCounts counts={tones} />
        </li>
        {(isAgent || customers > 0) && (
          <li>
            <Link
              className={`w-link ${styles.grow}`}
              to={paths.enterprisePage(groupid, "customers")}
            >
              {t("overview.customerSites")}
            </Link>
            <ToneCounts counts={customerTones} />
          </li>
        )}
      </Rows>
    </Card>
  );
}

/** Open alarms by severity. */
export function Alarms({ rows }: { readonly rows: Overview["alarms"] }) {
  const t = useOverviewTexts();
  return (
    <Card title={t("overview.alarms")}>
      {rows.every(({ open }) => open === 0) ? (
        <EmptyState kind="good" text={t("overview.alarmsNone")} />
      ) : (
        <Rows>
          {rows.map(({ level, open, waiting }) => (
            <li key={level}>
              <span className={styles.grow}>
                <StateText glyph={levelGlyph[level]} label={t.code("alarmLevel", level)} />
              </span>
              {waiting > 0 && (
                <span className="w-quiet">{t("overview.waiting", { count: waiting })}</span>
              )}
              {open}
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}
