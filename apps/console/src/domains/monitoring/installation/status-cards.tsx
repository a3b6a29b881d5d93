import { volumeValue } from "#parts/chart/value-texts.ts";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { NumberText } from "#ui/number-text.tsx";
import { Rows } from "#ui/rows.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./installation.module.css";
import {
  ageText,
  type InstallationTexts,
  type Status,
  stateOf,
  useInstallationTexts,
} from "./messages.ts";

interface Props {
  readonly status: Status;
}

/** What waits in the database, and since when the oldest does. */
export function Queues({ status: { queues } }: Props) {
  const t = useInstallationTexts();
  return (
    <Card title={t("installation.queues")}>
      <Rows>
        {queues.map(({ queue, state, depth, oldestSeconds }) => (
          <li key={queue}>
            <StateText {...stateOf(state, t)} />
            <span className={styles.grow}>{t(`installation.queue.${queue}`)}</span>
            {oldestSeconds !== null && (
              <span className="w-quiet">
                {t("installation.waits", { age: ageText(oldestSeconds, t) })}
              </span>
            )}
            <NumberText value={depth} missing={t("installation.noAnswer")} />
          </li>
        ))}
      </Rows>
    </Card>
  );
}

/** Metrics of devices on their way to the metrics store. */
export function Ingestion({ status: { ingestion } }: Props) {
  const t = useInstallationTexts();
  const { state, devices, newestAt, waitingRows, oldestSeconds, refused } = ingestion;
  const missing = t("installation.notReported");
  return (
    <Card
      title={t("installation.ingestion")}
      extra={
        <StateText
          {...stateOf(state, t)}
          {...(devices === 0 && { label: t("installation.noDevices") })}
        />
      }
    >
      <KeyValue
        columns={2}
        items={[
          {
            label: t("installation.newest"),
            value: <TimeText value={newestAt} missing={t("installation.newestNone")} />,
          },
          {
            label: t("installation.devices"),
            value: <NumberText value={devices} missing={missing} />,
          },
          {
            label: t("installation.waitingRows"),
            value: <NumberText value={waitingRows} missing={missing} />,
          },
          {
            label: t("installation.oldestRow"),
            value: <NumberText value={oldestSeconds} digits={1} unit="s" missing={missing} />,
          },
          {
            label: t("installation.refused"),
            value: <NumberText value={refused} missing={missing} />,
          },
        ]}
      />
    </Card>
  );
}

/** Both stores: whether they answer, what they hold, what room is left. */
export function Stores({ status: { stores } }: Props) {
  const t = useInstallationTexts();
  return (
    <Card title={t("installation.stores")}>
      <Rows>
        {stores.map((store) => (
          <li key={store.store}>
            <StateText {...stateOf(store.state, t)} />
            <span className={styles.grow}>
              {t(`installation.store.${store.store}`)} {store.version}
            </span>
            <StoreRoom store={store} />
          </li>
        ))}
      </Rows>
    </Card>
  );
}

function StoreRoom({ store }: { readonly store: Status["stores"][number] }) {
  const t = useInstallationTexts();
  const { version, bytes, freeBytes, totalBytes } = store;
  if (version === null) return <span className="w-quiet">{t("installation.noAnswer")}</span>;
  return (
    <>
      {freeBytes !== null && totalBytes !== null ? (
        <span className="w-quiet">
          {t("installation.room", { free: volumeValue(freeBytes), total: volumeValue(totalBytes) })}
        </span>
      ) : (
        <span className="w-quiet">{t("installation.roomUnknown")}</span>
      )}
      {bytes !== null && <span>{t("installation.size", { size: volumeValue(bytes) })}</span>}
    </>
  );
}

type Key = Status["keys"][number];

const keyName = ({ kind, place }: Key, t: InstallationTexts): string =>
  kind === "gateway"
    ? t("installation.key.gateway", { place: place ?? "" })
    : t(`installation.key.${kind}`);

/** What proves who is who, and until when. */
export function Keys({ status: { keys } }: Props) {
  const t = useInstallationTexts();
  return (
    <Card title={t("installation.keys")}>
      <Rows>
        {keys.map((key) => (
          <li key={`${key.kind} ${key.place}`}>
            <StateText {...stateOf(key.state, t)} />
            <span className={styles.grow}>{keyName(key, t)}</span>
            <KeyFacts row={key} />
          </li>
        ))}
      </Rows>
    </Card>
  );
}

function KeyFacts({ row }: { readonly row: Key }) {
  const t = useInstallationTexts();
  const { kind, state, since, expiresAt, count } = row;
  if (state === "unknown") return <span className="w-quiet">{t("installation.notReported")}</span>;
  if (kind === "controller") {
    return (
      <>
        {count !== null && count > 0 && <span>{t("installation.prepared")}</span>}
        <span className="w-quiet">{t("installation.neverEnds")}</span>
        <Labelled label={t("installation.since")} at={since} />
      </>
    );
  }
  if (kind === "api" && expiresAt === null) {
    return <span className="w-quiet">{t("installation.apiNone")}</span>;
  }
  return (
    <>
      {kind === "api" && count !== null && count > 0 && (
        <span>{t("installation.apiSoon", { count })}</span>
      )}
      <Labelled
        label={t(kind === "api" ? "installation.apiFirst" : "installation.ends")}
        at={expiresAt}
      />
    </>
  );
}

function Labelled({ label, at }: { readonly label: string; readonly at: Date | null }) {
  return (
    <span>
      <span className="w-quiet">{label}</span> <TimeText value={at} />
    </span>
  );
}

/** The newest backup that a process knows of. */
export function Backup({ status: { backup } }: Props) {
  const t = useInstallationTexts();
  return (
    <Card title={t("installation.backup")} extra={<StateText {...stateOf(backup.state, t)} />}>
      {backup.at === null ? (
        <p className="w-quiet">{t("installation.backupNone")}</p>
      ) : (
        <TimeText value={backup.at} />
      )}
    </Card>
  );
}
