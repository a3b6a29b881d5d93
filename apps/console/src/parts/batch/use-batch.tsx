import type { Endpoint, InputOf } from "@weft/contract/kernel/endpoint.ts";
import { type ReactNode, useState } from "react";
import { call } from "#client/call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { later, OpenedLater } from "#feedback/later.tsx";
import { useToast } from "#feedback/toast.tsx";
import type { Target } from "./target.ts";

// Not before the first action on many rows.
const BatchDialog = later(async () => (await import("./batch-dialog.tsx")).BatchDialog);

/** More rows than this at once: their number must be typed. */
const manyRows = 20;

/** What is asked before something is taken away. */
export interface Question {
  readonly title: string;
  readonly body: string;
  readonly ok: string;
}

interface Start {
  /** What is done with each row. */
  readonly fields?: object;
  /** Asked first, where it takes something away. */
  readonly question?: Question;
  /** After it began. */
  readonly onStarted?: () => void;
}

export interface Batches {
  /** Begins an action on many rows and shows how far it is; of a refusal a toast says why. */
  start(endpoint: { readonly id: string }, target: Target, start?: Start): Promise<void>;
  /** Shows a batch that was started. */
  show(id: number): void;
  /** The progress and report of the batch that is shown. */
  readonly dialog: ReactNode;
}

/**
 * Actions on many rows.
 * @param touches resources whose rows change
 */
export const useBatch = (touches: readonly string[]): Batches => {
  const toast = useToast();
  const confirm = useConfirm();
  const [shown, setShown] = useState<number | null>(null);
  return {
    show: setShown,
    async start(endpoint, { input, count }, { fields = {}, question, onStarted } = {}) {
      const typed = count > manyRows ? String(count) : null;
      if (question && !(await confirm({ ...question, danger: true, typed }))) return;
      try {
        const { data } = await call(
          endpoint as Endpoint,
          {
            ...input,
            ...fields,
          } as InputOf<Endpoint>,
        );
        setShown((data as { id: number }).id);
        onStarted?.();
      } catch (error) {
        toast.failed(error);
      }
    },
    dialog: (
      <OpenedLater open={shown !== null} onClose={() => setShown(null)}>
        {shown !== null && (
          <BatchDialog key={shown} id={shown} touches={touches} onClose={() => setShown(null)} />
        )}
      </OpenedLater>
    ),
  };
};
