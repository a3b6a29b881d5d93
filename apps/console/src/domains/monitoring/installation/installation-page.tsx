import { installationStatus } from "@weft/contract/domains/monitoring/installation.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { AsOf } from "#feedback/as-of.tsx";
import { Await } from "#feedback/await.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { AutoRefresh, AutoRefreshSwitch } from "#parts/auto-refresh.tsx";
import { volumeValue } from "#parts/chart/value-texts.ts";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { NumberText } from "#ui/number-text.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { Rows } from "#ui/rows.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./installation.module.css";
import { type InstallationTexts, type Status, stateOf, useInstallationTexts } from "./messages.ts";
import { Backup, Ingestion, Keys, Queues, Stores } from "./status-cards.tsx";

type Process = Status["processes"][number];

const isSilent = ({ state, devices, freeBytes, loopDelayMs }: Process): boolean =>
  state === "bad" && devices === null && freeBytes === null && loopDelayMs === null;

/** Every process with what it runs, and the roles that none does. */
function Processes({ status }: { readonly status: Status }) {
  const t = useInstallationTexts();
  const { processes, missingRoles } = status;
  const versions = new Set(processes.map(({ version }) => version));
  return (
    <Card title={t("installation.processes")}>
      <Rows>
        {missingRoles.map((role) => (
          <li key={role}>
            <StateText glyph="bad" label={t("installation.missing", { role })} />
          </li>
        ))}
        {versions.size > 1 && (
          <li>
            <StateText glyph="warn" label={t("installation.versions")} />
          </li>
        )}
        {processes.map((process) => (
          <li key={`${process.host}:${process.port}`}>
            <StateText {...stateOf(process.state, t)} />
            <b className={styles.grow}>{`${process.host}:${process.port}`}</b>
            <span>{process.roles.join(", ")}</span>
            {isSilent(process) && (
              <span className={`w-bad ${styles.whole}`}>{t("installation.silent")}</span>
            )}
            {process.failing.length > 0 && (
              <span className={styles.whole}>
                {t("installation.failing", {
                  parts: process.failing.map(({ name }) => name).join(", "),
                })}
              </span>
            )}
            <div className={styles.whole}>
              <KeyValue columns={4} items={factsOf(process, t)} />
            </div>
          </li>
        ))}
      </Rows>
      {processes.length === 0 && (
        <EmptyState kind="waiting" text={t("installation.processesNone")} />
      )}
    </Card>
  );
}

function factsOf(process: Process, t: InstallationTexts) {
  const { devices, freeBytes, totalBytes, loopDelayMs } = process;
  const unknown = <Missing reason={t("installation.notReported")} />;
  return [
    { label: t("installation.version"), value: `${process.version}, Node ${process.nodeVersion}` },
    { label: t("installation.started"), value: <TimeText value={process.startedAt} /> },
    { label: t("installation.seen"), value: <TimeText value={process.seenAt} form="since" /> },
    { label: t("installation.pid"), value: String(process.pid) },
    {
      label: t("installation.disk"),
      value:
        freeBytes === null || totalBytes === null
          ? unknown
          : t("installation.ofDisk", {
              free: volumeValue(freeBytes),
              total: volumeValue(totalBytes),
            }),
    },
    {
      label: t("installation.loopDelay"),
      value: loopDelayMs === null ? unknown : <NumberText value={loopDelayMs} unit="ms" />,
    },
    ...(process.roles.includes("gateway")
      ? [
          {
            label: t("installation.devices"),
            value: devices === null ? unknown : <NumberText value={devices} />,
          },
        ]
      : []),
  ];
}

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
