import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths, useBackTo } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { serialText } from "#domains/delivery/parts/history/state-owner.ts";
import { deliveryOf, type NodeState } from "#domains/delivery/parts/state/delivery.ts";
import { DeliveryStrip } from "#domains/delivery/parts/state/delivery-strip.tsx";
import { Findings } from "#domains/delivery/parts/state/findings.tsx";
import { stateMessages } from "#domains/delivery/parts/state/messages.ts";
import { PinBanner } from "#domains/delivery/parts/state/pin-banner.tsx";
import { Copyable } from "#ui/copyable.tsx";
import { DetailHead } from "#ui/detail-head.tsx";
import { StateText, StatusGlyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { healthState } from "./health.ts";
import type { NodeCard } from "./node-card.ts";
import styles from "./node-head.module.css";
import { type NodeTexts, useNodeTexts } from "./node-texts.ts";

interface Props {
  readonly node: NodeCard;
  /** undefined while loading. */
  readonly state: NodeState | undefined;
  /** The verdict, above the delivery of the newest state; null: not known yet. */
  readonly sentence?: ReactNode;
  readonly actions?: ReactNode;
}

const comes = <p className={styles.comes} />;

/** Head of every page of one node: desired, confirmed and running state side by side. */
export function NodeHead({ node, state, sentence, actions }: Props) {
  const t = useNodeTexts();
  const list = node.kind === "cpe" ? paths.cpe() : paths.pop();
  const back = useBackTo(list);
  return (
    <DetailHead
      back={
        <Link className="w-link" to={back}>
          ← {t(node.kind === "cpe" ? "node.backToCpe" : "node.backToPop")}
        </Link>
      }
      title={node.name}
      state={<StateText {...healthState(node, t)} />}
      aside={
        <>
          <Copyable text={node.sn} />
          <Link className="w-link" to={paths.enterprisePage(node.groupid)}>
            {node.enterpriseName}
          </Link>
        </>
      }
      facts={factsOf(state, t)}
      sentence={
        <div className={styles.sentences} aria-busy={!state}>
          {sentence === null ? comes : sentence}
          {state?.heldAt && <PinBanner node={node} held={state.heldAt} />}
          {state ? <DeliveryStrip node={node} state={state} /> : comes}
          {state && <Findings state={state} />}
        </div>
      }
      actions={actions}
    />
  );
}

function Serial(props: {
  readonly serial: number | null;
  readonly at: Date | null;
  readonly glyph?: "ok" | "warn" | "run" | "off" | "bad" | "unknown";
  readonly reason?: string;
}) {
  if (props.serial === null) return <Missing reason={props.reason} />;
  return (
    <span className="w-state">
      {props.glyph && <StatusGlyph glyph={props.glyph} />}
      {serialText(props.serial)}
      {props.at && (
        <span className="w-quiet">
          <TimeText value={props.at} form="since" />
        </span>
      )}
    </span>
  );
}

const wantedGlyph = (state: NodeState) => {
  const delivery = deliveryOf(state);
  if (delivery.at === "stopped" || delivery.at === "uncompiled") return "bad";
  if (delivery.at === "held") return "warn";
  return delivery.at === "confirmed" ? "ok" : "run";
};

/** The running state is correct if it is the last one that was confirmed; of a device without contact it is not known. */
export const runningGlyph = (
  state: Pick<NodeState, "configVisible" | "online" | "runningSerial" | "confirmed">,
) => {
  if (!state.configVisible) return "off";
  if (!state.online) return "unknown";
  return state.runningSerial === state.confirmed?.serial ? "ok" : "warn";
};

/** The same labels before and after the response, so that nothing moves when it arrives. */
const factsOf = (state: NodeState | undefined, t: NodeTexts) =>
  (["wanted", "confirmed", "running", "drift", "contact", "version"] as const).map((fact) => ({
    label: t(`node.${fact}`),
    value: state ? (
      <FactValue fact={fact} state={state} t={t} />
    ) : (
      <span className={styles.coming} data-fact={fact}>
        …
      </span>
    ),
  }));

interface FactProps {
  readonly fact: "wanted" | "confirmed" | "running" | "drift" | "contact" | "version";
  readonly state: NodeState;
  readonly t: NodeTexts;
}

function FactValue({ fact, state, t }: FactProps) {
  const ofState = useTexts(stateMessages);
  switch (fact) {
    case "wanted":
      return (
        <Serial
          serial={state.desired?.serial ?? null}
          at={state.desired?.createTime ?? null}
          glyph={wantedGlyph(state)}
          reason={state.configVisible ? t("node.serialsNone") : ofState("node.configHidden")}
        />
      );
    case "confirmed":
      return (
        <Serial
          serial={state.confirmed?.serial ?? null}
          at={state.confirmed?.endTime ?? null}
          glyph="ok"
          reason={state.configVisible ? t("node.neverConfirmed") : ofState("node.configHidden")}
        />
      );
    case "running":
      return (
        <Serial
          serial={state.runningSerial}
          at={null}
          glyph={runningGlyph(state)}
          reason={t("node.driftUnknown")}
        />
      );
    case "drift":
      // What was looked at before the contact was lost says nothing of now.
      return <Drift steps={state.online ? state.driftSteps : null} online={state.online} t={t} />;
    case "contact":
      if (state.online) return t.code("linkStatus", 1);
      return <TimeText value={state.lastOnline} form="since" missing={t("node.never")} />;
    case "version":
      return state.version ?? <Missing reason={t("node.driftUnknown")} />;
  }
}

interface DriftProps {
  readonly steps: number | null;
  readonly online: boolean;
  readonly t: NodeTexts;
}

function Drift({ steps, online, t }: DriftProps) {
  if (steps === null) {
    return <Missing reason={t(online ? "node.driftUnknown" : "node.driftOffline")} />;
  }
  if (steps === 0) return <>{t("node.driftNone")}</>;
  return <StateText glyph="diff" label={t("node.driftSteps", { count: steps })} />;
}
