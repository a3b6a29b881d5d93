import { stateDifference, stateSend } from "@weft/contract/domains/delivery/history.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { useMay } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { objectText, useHistoryTexts } from "#domains/delivery/parts/history/history-texts.ts";
import { StateDifference } from "#domains/delivery/parts/history/state-difference.tsx";
import type { StateOwner } from "#domains/delivery/parts/history/state-owner.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Sentence } from "#ui/sentence.tsx";
import type { NodeState, StateEntry } from "./delivery.ts";
import styles from "./delivery-strip.module.css";

/** Objects that the banner names; the difference shows all. */
const shownNames = 5;

interface Props {
  readonly node: StateOwner;
  readonly state: NodeState;
  readonly entry: StateEntry;
}

/** A state that waits for an operator: what it would remove, and the button that sends it. */
export function HeldBanner({ node, state, entry }: Props) {
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
