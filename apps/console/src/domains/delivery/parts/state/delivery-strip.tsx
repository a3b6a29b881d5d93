import { stateDifference, stateSend } from "@weft/contract/domains/delivery/history.ts";
import { stateRetry } from "@weft/contract/domains/delivery/node-state.ts";
import { outcomeText } from "@weft/contract/domains/delivery/outcome-text.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  objectText,
  rawCauseText,
  useHistoryTexts,
} from "#domains/delivery/parts/history/history-texts.ts";
import { StateDifference } from "#domains/delivery/parts/history/state-difference.tsx";
import { type StateOwner, serialText } from "#domains/delivery/parts/history/state-owner.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Sentence } from "#ui/sentence.tsx";
import { TimeText } from "#ui/time-text.tsx";
import {
  type Delivery,
  type DeliveryStep,
  deliveryOf,
  deliverySteps,
  type Failure,
  type NodeState,
  type StateEntry,
} from "./delivery.ts";
import styles from "./delivery-strip.module.css";
import { stateMessages } from "./messages.ts";

/** Objects that the banner names; the difference shows all. */
const shownNames = 5;

interface HeldBannerProps {
  readonly node: StateOwner;
  readonly state: NodeState;
  readonly entry: StateEntry;
}

/** A state that waits for an operator: what it would remove, and the button that sends it. */
function HeldBanner({ node, state, entry }: HeldBannerProps) {
  const t = useHistoryTexts();
  const may = useMay();
  const confirm = useConfirm();
  const [isOpen, setOpen] = useState(false);
  const isAllowed = may(node.kind === "cpe" ? "cpeConfig" : "popConfig");
  const { serial } = entry;
  const result = useCall(
    stateDifference,
    isAllowed ? { id: node.id, from: null, to: serial } : null,
  );
  const removed = (result.data?.objects ?? []).filter(({ change }) => change === "removed");
  const send = useAction(stateSend, { touches: ["nodeState", "task"], done: t("held.sent") });
  const confirmSend = async () => {
    const wanted = await confirm({
      title: t("held.sendTitle", { name: node.name, serial }),
      body: t("held.sendBody"),
      ok: t("held.send", { serial }),
      danger: true,
    });
    if (wanted) await send.act({ id: node.id, serial });
  };
  const names = removed.slice(0, shownNames).map((one) => objectText(one, t));
  const more = removed.length > names.length ? ", …" : "";
  return (
    <div className={styles.strip} role="alert">
      <Sentence glyph="warn" text={t("held.what", { serial })} />
      {removed.length > 0 && (
        <span>{t("held.removes", { count: removed.length, names: t.list(names) + more })}</span>
      )}
      {state.runningSerial !== null && (
        <span className="w-quiet">{t("held.runs", { serial: state.runningSerial })}</span>
      )}
      {isAllowed && (
        <>
          <Button size="small" onClick={() => setOpen(true)}>
            {t("held.difference")}
          </Button>
          <Button size="small" danger loading={send.isActing} onClick={() => void confirmSend()}>
            {t("held.send", { serial })}
          </Button>
          <StateDifference
            node={node}
            pair={isOpen ? { from: null, to: serial } : null}
            onClose={() => setOpen(false)}
          />
        </>
      )}
    </div>
  );
}

const useStateTexts = () => useTexts(stateMessages);
type StateTexts = ReturnType<typeof useStateTexts>;

interface Props {
  readonly node: StateOwner;
  readonly state: NodeState;
}

/**
 * What happens to the newest wanted state. It stays once that is confirmed, so that nothing moves
 * under the pointer when a delivery begins or ends.
 */
export function DeliveryStrip({ node, state }: Props) {
  const t = useStateTexts();
  const delivery = deliveryOf(state);
  if (delivery.at === "stopped") {
    return <Stopped node={node} state={state} entry={delivery.entry} t={t} />;
  }
  if (delivery.at === "held") {
    return <HeldBanner node={node} state={state} entry={delivery.entry} />;
  }
  if (delivery.at === "hidden") return <Sentence glyph="off" text={t("node.configHidden")} />;
  if (delivery.at === "none") return <Sentence glyph="off" text={t("node.noConfig")} />;
  if (delivery.at === "compiling") return <Sentence glyph="run" text={t("node.compiling")} />;
  if (delivery.at === "uncompiled") {
    return <Uncompiled failure={delivery.failure} serial={state.runningSerial} t={t} />;
  }
  return <Steps delivery={delivery} isOnline={state.online} t={t} />;
}

/** What was reached, what is being worked on now, what comes later. */
const stepGlyph = (step: DeliveryStep, at: DeliveryStep, isOnline: boolean): Glyph => {
  const ahead = deliverySteps.indexOf(step) - deliverySteps.indexOf(at);
  if (ahead <= 0) return "ok";
  return ahead === 1 && isOnline ? "run" : "off";
};

function Steps(props: {
  readonly delivery: Extract<Delivery, { entry: StateEntry; at: DeliveryStep }>;
  readonly isOnline: boolean;
  readonly t: StateTexts;
}) {
  const { delivery, isOnline, t } = props;
  const ofHistory = useHistoryTexts();
  const isConfirmed = delivery.at === "confirmed";
  return (
    <output className={styles.strip} aria-live="polite">
      <span className={styles.what}>
        {t(isConfirmed ? "node.deliveredOf" : "node.deliveryOf", { serial: delivery.entry.serial })}
      </span>
      <ol className={styles.steps}>
        {deliverySteps.map((step) => (
          <li key={step} aria-current={step === delivery.at ? "step" : undefined}>
            <StatusGlyph glyph={stepGlyph(step, delivery.at, isOnline)} />
            {t(`node.step.${step}`)}
          </li>
        ))}
      </ol>
      <span className="w-quiet">
        {isOnline || isConfirmed
          ? t("node.byCause", { cause: rawCauseText(delivery.entry.cause, ofHistory) })
          : t("node.waitsOffline")}
      </span>
    </output>
  );
}

function Uncompiled(props: {
  readonly failure: Failure;
  readonly serial: number | null;
  readonly t: StateTexts;
}) {
  const { failure, serial, t } = props;
  const reason = t(`node.uncompiled.${failure.code}`);
  return (
    <div className={styles.strip} role="alert">
      <Sentence glyph="bad" text={t("node.uncompiled")} />
      <span>{t("node.stoppedReason", { reason })}</span>
      {failure.detail !== "" && <span className="w-quiet">{failure.detail}</span>}
      <span className="w-quiet">
        <TimeText value={failure.since} form="since" />
      </span>
      {serial !== null && <span className="w-quiet">{t("node.stoppedRuns", { serial })}</span>}
    </div>
  );
}

const stoppedKey = (entry: StateEntry) =>
  entry.outcome === "refused" || entry.outcome === "failed"
    ? (`node.stopped.${entry.outcome}` as const)
    : ("node.stopped.reverted" as const);

function Stopped(props: {
  readonly node: StateOwner;
  readonly state: NodeState;
  readonly entry: StateEntry;
  readonly t: StateTexts;
}) {
  const { node, state, entry, t } = props;
  const ofHistory = useHistoryTexts();
  const may = useMay();
  const reason =
    entry.reason === null ? t("node.cause.noReason") : outcomeText(entry.reason, t.language);
  return (
    <div className={styles.strip} role="alert">
      <Sentence glyph="bad" text={t(stoppedKey(entry), { serial: entry.serial })} />
      <span>{t("node.stoppedReason", { reason })}</span>
      <span className="w-quiet">
        {t("node.byCause", { cause: rawCauseText(entry.cause, ofHistory) })}
      </span>
      {state.runningSerial !== null && (
        <span className="w-quiet">{t("node.stoppedRuns", { serial: state.runningSerial })}</span>
      )}
      {may("cpeConfig") && <Retry node={node} serial={entry.serial} t={t} />}
    </div>
  );
}

function Retry(props: {
  readonly node: StateOwner;
  readonly serial: number;
  readonly t: StateTexts;
}) {
  const { node, serial, t } = props;
  const confirm = useConfirm();
  const retry = useAction(stateRetry, { touches: ["nodeState", "task"], done: t("node.retried") });
  const run = async () => {
    const wanted = await confirm({
      title: t("node.retryTitle", { name: node.name, serial }),
      body: t("node.retryBody"),
      ok: t("node.retryOk", { serial }),
    });
    if (wanted) await retry.act({ id: node.id });
  };
  return (
    <Button size="small" loading={retry.isActing} onClick={() => void run()}>
      {t("node.retry", { serial: serialText(serial) })}
    </Button>
  );
}
