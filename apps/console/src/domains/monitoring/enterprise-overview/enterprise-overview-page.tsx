import { enterpriseByGroupId } from "@weft/contract/domains/enterprises/enterprise.ts";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import {
  EnterpriseFrame,
  type Overview,
} from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import { ExpiringCard } from "#domains/monitoring/parts/expiring/expiring-card.tsx";
import { Await } from "#feedback/await.tsx";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { Money } from "#ui/money.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./enterprise-overview.module.css";
import { Alarms, Causes, States, TroubledSites, useOverviewTexts } from "./overview-cards.tsx";

interface LimitProps {
  readonly count: number;
  /** null: none. */
  readonly limit: number | null;
}

/** How many there are of how many there may be. */
function OfLimit({ count, limit }: LimitProps) {
  const t = useOverviewTexts();
  if (limit === null) return t("overview.noLimit", { count });
  const text = t("overview.ofLimit", { count, limit });
  if (count < limit) return text;
  return <StateText glyph="warn" label={text} hint={t("overview.over")} />;
}

/** What the enterprise has of what it may have, and until when. */
function Quota({ overview: { groupid, has } }: { readonly overview: Overview }) {
  const t = useOverviewTexts();
  const may = useMay();
  const result = useCall(enterpriseByGroupId, { groupid });
  return (
    <Card title={t("overview.quota")}>
      <Await result={result} rows={4}>
        {(row) => {
          const money = may("enterpriseBillingPerm");
          const amount = (count: number, limit: number | null) =>
            money ? <OfLimit count={count} limit={limit} /> : count;
          const circuits = withSearch(paths.circuits(), { groupid });
          return (
            <KeyValue
              items={[
                { label: t("overview.cpes"), value: amount(row.cpeUse ?? has.cpe, row.cpeLimit) },
                {
                  label: t("overview.accounts"),
                  value: amount(row.accountUse ?? has.account, row.accountLimit),
                },
                { label: t("overview.users"), value: has.user },
                {
                  label: t("overview.circuits"),
                  value: (
                    <Link className="w-link" to={circuits}>
                      {has.circuit}
                    </Link>
                  ),
                },
                { label: t("overview.spaces"), value: has.netSpace },
                ...(has.pop > 0 ? [{ label: t("overview.pops"), value: has.pop }] : []),
                ...(may("enterpriseEndTime")
                  ? [
                      {
                        label: t("overview.ends"),
                        value:
                          row.endTime === null ? (
                            t("overview.forever")
                          ) : (
                            <TimeText value={row.endTime} form="stamp" />
                          ),
                      },
                    ]
                  : []),
                ...(money
                  ? [{ label: t("overview.balance"), value: <Money value={row.balance} /> }]
                  : []),
              ]}
            />
          );
        }}
      </Await>
    </Card>
  );
}

/** Whom to call, and who is above. */
function Contact({ groupid }: { readonly groupid: number }) {
  const t = useOverviewTexts();
  const result = useCall(enterpriseByGroupId, { groupid });
  return (
    <Card title={t("overview.contact")}>
      <Await result={result} rows={4}>
        {(row) => (
          <KeyValue
            items={[
              { label: t.field("contact"), value: row.contact || <Missing /> },
              { label: t.field("phone"), value: row.phone ?? <Missing /> },
              { label: t.field("email"), value: row.email ?? <Missing /> },
              { label: t.field("regions"), value: row.regions.join(" ") || <Missing /> },
              ...(row.parentId !== null && row.parentName
                ? [
                    {
                      label: t("overview.parent"),
                      value: (
                        <Link className="w-link" to={paths.enterprisePage(row.parentId)}>
                          {row.parentName}
                        </Link>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Await>
    </Card>
  );
}

/** What is wrong at one enterprise and why, then what it has and until when. */
export default function EnterpriseOverviewPage() {
  return (
    <EnterpriseFrame tab="overview">
      {(_, overview) => <Cards overview={overview} />}
    </EnterpriseFrame>
  );
}

function Cards({ overview }: { readonly overview: Overview }) {
  return (
    <div className={styles.cards}>
      <div className={styles.stack}>
        <Causes overview={overview} />
        <TroubledSites overview={overview} />
        <ExpiringCard rows={overview.expiring} withEnded />
      </div>
      <div className={styles.stack}>
        <States overview={overview} />
        <Alarms rows={overview.alarms} />
        <Quota overview={overview} />
        <Contact groupid={overview.groupid} />
      </div>
    </div>
  );
}
