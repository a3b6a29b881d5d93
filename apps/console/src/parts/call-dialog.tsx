import type { Endpoint, InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Versioned } from "@weft/contract/kernel/row-version.ts";
import type { ReactNode } from "react";
import { call } from "#client/call.ts";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { type DraftSchema, useDraft } from "#kernel/form/use-draft.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import { DialogFoot } from "./fields/submit.tsx";

interface Props<E extends Endpoint> {
  readonly endpoint: E;
  readonly open: boolean;
  readonly title: string;
  /** What the form starts with; fields that are not typed belong here as well. */
  readonly initial: Partial<InputOf<E>>;
  /** Turns what the form holds into what is checked and sent. Same function at every rendering. */
  // biome-ignore lint/suspicious/noExplicitAny: the draft's type belongs to the call
  readonly send?: (draft: any) => object;
  /** What the dialog edits, as it was read: an edit of what someone changed meanwhile shows both. */
  readonly edits?: { readonly of: Versioned; readonly row: object };
  /** The verb of the button. */
  readonly ok: string;
  /** px; 460 by default. */
  readonly width?: number;
  /** Resources whose rows change. */
  readonly touches: readonly string[];
  /** What the toast says. */
  readonly saved?: (answer: OutputOf<E>) => string;
  /** Called with the answer, in place of the toast. */
  readonly onAnswer?: (answer: OutputOf<E>) => void;
  readonly onClose: () => void;
  /** Parts of form/field.tsx. */
  readonly children: ReactNode;
}

/** A dialog of few fields that makes one call (screens.md, "Which container"). */
export function CallDialog<E extends Endpoint>(props: Props<E>) {
  const { open, title, width = 460, onClose } = props;
  return (
    <Modal open={open} title={title} width={width} footer={null} destroyOnHidden onCancel={onClose}>
      {open && <Body {...props} />}
    </Modal>
  );
}

function Body<E extends Endpoint>(props: Props<E>) {
  const { endpoint, initial, ok, touches, saved, onAnswer, onClose, children } = props;
  const toast = useToast();
  const invalidate = useInvalidate();
  const form = useDraft(
    endpoint.input as unknown as DraftSchema,
    initial as object,
    props.send as ((draft: object) => object) | undefined,
  );
  const stale = useStaleRow(props.edits?.of ?? null, props.edits?.row ?? null, initial);
  const save = async (draft: object): Promise<void> => {
    const sent = await stale.save(form, (version) =>
      call(endpoint, { ...draft, ...version } as InputOf<E>),
    );
    if (sent === null) return;
    const answer = sent.data as OutputOf<E>;
    if (onAnswer) onAnswer(answer);
    else toast.done(saved?.(answer));
    invalidate(...touches);
    onClose();
  };
  return (
    <DraftForm form={form} onSubmit={save}>
      {stale.panel(form)}
      {children}
      <DialogFoot ok={ok} onClose={onClose} />
    </DraftForm>
  );
}
