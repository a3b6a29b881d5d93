import Button from "antd/es/button";
import { type ReactNode, useState } from "react";
import type { z } from "zod";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { type DraftSchema, useDraft } from "#kernel/form/use-draft.ts";
import { StateText } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";

/** What a device answered, as it is shown. */
export interface DeviceAnswer {
  readonly ok: boolean;
  readonly label: string;
  /** Behind the label. */
  readonly facts?: string;
  /** As the device wrote it. */
  readonly text: string;
}

interface Props<Schema extends DraftSchema> {
  readonly title: string;
  readonly schema: Schema;
  readonly initial: Partial<z.output<Schema>>;
  /** The verb of the button. */
  readonly action: string;
  /** Shown while the device has not answered yet. */
  waiting(values: z.output<Schema>): string;
  /** @throws CallError, which lands on the fields. */
  request(values: z.output<Schema>): Promise<DeviceAnswer>;
  readonly onClose: () => void;
  /** Fields of the question. */
  readonly children: ReactNode;
}

/** One question to a device, and its answer below for as long as the question is the same. */
export function DeviceRequestDialog<Schema extends DraftSchema>(props: Props<Schema>) {
  const { title, schema, initial, action, waiting, request, onClose, children } = props;
  const [answered, setAnswered] = useState<{ to: object; answer: DeviceAnswer } | null>(null);
  const [isSending, setSending] = useState(false);
  const form = useDraft(schema, initial);
  const { values } = form;
  const answer = answered?.to === values ? answered.answer : null;
  return (
    <Modal open title={title} width={720} footer={null} onCancel={onClose}>
      <DraftForm
        form={form}
        onSubmit={async (question) => {
          setSending(true);
          setAnswered(null);
          try {
            setAnswered({ to: values, answer: await request(question) });
          } finally {
            setSending(false);
          }
        }}
      >
        {children}
        <Button type="primary" htmlType="submit" loading={isSending}>
          {action}
        </Button>
        {isSending && <p role="status">{waiting(values as z.output<Schema>)}</p>}
        {answer && (
          <section aria-live="polite">
            <p>
              <StateText glyph={answer.ok ? "ok" : "bad"} label={answer.label} />
              {answer.facts}
            </p>
            <pre className="w-mono" style={{ overflow: "auto", maxHeight: 320 }}>
              {answer.text}
            </pre>
          </section>
        )}
      </DraftForm>
    </Modal>
  );
}
