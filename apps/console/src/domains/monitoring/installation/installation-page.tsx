import { installationStatus } from "@weft/contract/domains/monitoring/installation.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { AsOf } from "#feedback/as-of.tsx";
import { Await } from "#feedback/await.tsx";
import { AutoRefresh, AutoRefreshSwitch } from "#parts/auto-refresh.tsx";
import { StateText } from "#ui/glyph.tsx";
import { PageHead } from "#ui/page-head.tsx";
import styles from "./installation.module.css";
import { type Status, stateOf, useInstallationTexts } from "./installation-texts.ts";
import { Processes } from "./process-card.tsx";
import { Backup, Ingestion, Keys, Queues, Stores } from "./status-cards.tsx";

/** For who runs the installation: whether its processes, queues, stores and keys are well. */
export default function InstallationPage() {
  return (
    <AutoRefresh screen="installation">
      <Page />
    </AutoRefresh>
  );
}

function Page() {
  const t = useInstallationTexts();
  const result = useCall(installationStatus, {}, { every: refreshEvery });
  const { data, asOf, isStale } = result;
  // What was well before the controller went away is not known to be so now.
  const state = data && (isStale ? "unknown" : data.state);
  return (
    <>
      <PageHead
        title={t("installation.title")}
        aside={state && <StateText {...stateOf(state, t)} />}
        actions={
          <>
            <AutoRefreshSwitch />
            <AsOf at={asOf} isOld={isStale} />
          </>
        }
      />
      <Await result={result}>{(status) => <Cards status={status} />}</Await>
    </>
  );
}

function Cards({ status }: { readonly status: Status }) {
  return (
    <>
      <div className={styles.first}>
        <Processes status={status} />
      </div>
      <div className="w-card-grid">
        <div className={styles.stack}>
          <Queues status={status} />
          <Ingestion status={status} />
        </div>
        <div className={styles.stack}>
          <Stores status={status} />
          <Keys status={status} />
          <Backup status={status} />
        </div>
      </div>
    </>
  );
}
