import { stateRelease } from "@weft/contract/domains/delivery/history.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { useMay } from "#client/session.tsx";
import { useHistoryTexts } from "#domains/delivery/parts/history/history-texts.ts";
import { StateDifference } from "#domains/delivery/parts/history/state-difference.tsx";
import type { StateOwner } from "#domains/delivery/parts/history/state-owner.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Sentence } from "#ui/sentence.tsx";
import { TimeText } from "#ui/time-text.tsx";
import type { NodeState } from "./delivery.ts";
import styles from "./delivery-strip.module.css";

interface Props {
  readonly node: StateOwner;
  readonly held: NonNullable<NodeState["heldAt"]>;
}

/** A node that an operator holds at a past configuration: what waits, and the way out. */
export function PinBanner({ node, held }: Props) {
  const t = useHistoryTexts();
  const may = useMay();
  const confirm = useConfirm();
  const [isOpen, setOpen] = useState(false);
  const release = useAction(stateRelease, {
    touches: ["nodeState", "task"],
    done: t("pin.released"),
  });
  const confirmRelease = async () => {
    const wanted = await confirm({
      title: t("pin.releaseTitle", { name: node.name }),
      body: t("pin.releaseBody"),
      ok: t("pin.release"),
    });
    if (wanted) await release.act({ id: node.id });
  };
  return (
    <div className={styles.strip} role="status">
      <Sentence glyph="diff" text={t("pin.what", { serial: held.serial, by: held.by })} />
      <span className="w-quiet">
        <TimeText value={held.createTime} form="since" />
      </span>
      {may(node.kind === "cpe" ? "cpeConfig" : "popConfig") && (
        <>
          <Button size="small" onClick={() => setOpen(true)}>
            {t("history.pending")}
          </Button>
          <Button size="small" loading={release.isActing} onClick={() => void confirmRelease()}>
            {t("pin.release")}
          </Button>
          <StateDifference
            node={node}
            pair={isOpen ? { from: null, to: null } : null}
            onClose={() => setOpen(false)}
          />
        </>
      )}
    </div>
  );
}
