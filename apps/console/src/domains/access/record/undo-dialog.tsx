import { operaRecordUndo } from "@weft/contract/domains/access/record.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { useEffect, useState } from "react";
import { type CallError, call } from "#client/call.ts";
import { Loading } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { StateText } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { ChangeTable } from "./change-table.tsx";
import { type Operation, textOf, useRecordTexts } from "./record-texts.ts";

type Inverse = OutputOf<typeof operaRecordUndo>;

/** What the undo would change, asked once when the dialog opens; a refusal says why it cannot be. */
function useInverse(id: number) {
  const [inverse, setInverse] = useState<Inverse | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    call(operaRecordUndo, { id, check: true }, { signal: ended.signal })
      .then(({ data }) => setInverse(data))
      .catch((failure: CallError) => {
        if (!ended.signal.aborted) setError(failure);
      });
    return () => ended.abort();
  }, [id]);
  return { inverse, error };
}

const bodies = {
  edit: "record.undoEdit",
  remove: "record.undoAdd",
  add: "record.undoRemove",
} as const;

interface Props {
  readonly operation: Operation;
  readonly onClose: () => void;
}

/** Undoes one operation after showing what that changes. */
export function UndoDialog({ operation, onClose }: Props) {
  const t = useRecordTexts();
  const { inverse, error } = useInverse(operation.id);
  // Whatever the row is of shows it again: what is on screen is asked again.
  const undo = useAction(operaRecordUndo, {
    touches: [operation.module.split(".")[0] ?? "", "nodeState", "cpe", "pop"],
    done: t("record.undone"),
  });
  const run = async (): Promise<void> => {
    await undo.act({ id: operation.id, check: false });
    onClose();
  };
  return (
    <Modal
      open
      width={720}
      title={t("record.undoTitle")}
      onCancel={onClose}
      destroyOnHidden
      footer={
        <>
          <Button onClick={onClose}>{t("act.cancel")}</Button>
          <Button
            type="primary"
            disabled={inverse === null}
            loading={undo.isActing}
            onClick={() => void run()}
          >
            {t("record.undo")}
          </Button>
        </>
      }
    >
      <p>{textOf(operation.story, t)}</p>
      {error ? (
        <StateText glyph="bad" label={t("record.undoRefused", { reason: error.message })} />
      ) : inverse ? (
        <>
          <p className="w-quiet">{t(bodies[inverse.verb])}</p>
          <ChangeTable changes={inverse.changes} />
        </>
      ) : (
        <Loading rows={3} />
      )}
    </Modal>
  );
}
