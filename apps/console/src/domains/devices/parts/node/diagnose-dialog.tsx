import { initPing } from "@weft/contract/domains/devices/dial-task.ts";
import { dialTypes } from "@weft/contract/domains/devices/settings-enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { call } from "#client/call.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { StateText } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { useCommandTexts } from "./command-texts.ts";
import type { NodeCard } from "./node-card.ts";

interface Props {
  readonly node: NodeCard;
  readonly onClose: () => void;
}

/** One test from a device, now, with what its tool printed. */
export function DiagnoseDialog({ node, onClose }: Props) {
  const t = useCommandTexts();
  const [found, setFound] = useState<OutputOf<typeof initPing> | null>(null);
  const [isRunning, setRunning] = useState(false);
  const form = useDraft(initPing.input, { cpeId: node.id, host: "", count: 4, type: "ping" });
  const types = dialTypes.map((value) => ({ value, label: t.code("dialType", value) }));
  return (
    <Modal
      open
      title={t("command.diagnoseOf", { name: node.name })}
      width={640}
      footer={null}
      onCancel={onClose}
    >
      <DraftForm
        form={form}
        onSubmit={async (values) => {
          setRunning(true);
          setFound(null);
          try {
            setFound((await call(initPing, values)).data);
          } finally {
            setRunning(false);
          }
        }}
      >
        <Field name="type" label={t.field("type")} kind="radio" options={types} />
        <Field name="host" kind="mono" help={t("dial.targetHelp")} />
        <Button type="primary" htmlType="submit" loading={isRunning}>
          {t("command.run")}
        </Button>
        {isRunning && <p role="status">{t("command.running")}</p>}
        {found && (
          <section aria-live="polite">
            <p>
              <StateText
                glyph={found.ok ? "ok" : "bad"}
                label={t(found.ok ? "command.reached" : "command.unreached")}
              />
              {found.delay !== null && ` · ${t("command.delay")} ${found.delay}`}
              {found.loss !== null && ` · ${t("command.loss")} ${found.loss}`}
            </p>
            <pre className="w-mono" style={{ overflow: "auto", maxHeight: 320 }}>
              {found.lines.join("\n")}
            </pre>
          </section>
        )}
      </DraftForm>
    </Modal>
  );
}
