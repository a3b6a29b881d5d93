import {
  EnterpriseFrame,
  type Overview,
} from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import { ExpiringCard } from "#domains/monitoring/parts/expiring/expiring-card.tsx";
import styles from "./enterprise-overview.module.css";
import { Alarms, Causes, States, TroubledSites } from "./overview-cards.tsx";
import { Contact, Quota } from "./record-cards.tsx";

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
