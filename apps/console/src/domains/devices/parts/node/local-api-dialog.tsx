import type { RelayPath } from "@weft/contract/device/v1/commands.ts";
import { commonHttp } from "@weft/contract/domains/devices/relay.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { call, tokenStore } from "#client/call.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { type DraftSchema, useDraft } from "#kernel/form/use-draft.ts";
import { StateText } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { useCommandTexts } from "./command-texts.ts";
import type { NodeCard } from "./node-card.ts";

interface Props {
  readonly node: NodeCard;
  readonly onClose: () => void;
}

const labels = {
  "/status": "localApi.status",
  "/interfaces": "localApi.interfaces",
  "/routes": "localApi.routes",
  "/leases": "localApi.leases",
} as const satisfies Readonly<Record<Exclude<RelayPath, "/import">, string>>;

/** What may be read there; `/import` takes a file and reads nothing. */
const readable = Object.keys(labels) as (keyof typeof labels)[];

/** What the local API of a device says of the device: passed on by the controller, and nothing else. */
export function LocalApiDialog({ node, onClose }: Props) {
  const t = useCommandTexts();
  const [answer, setAnswer] = useState<OutputOf<typeof commonHttp> | null>(null);
  const [isAsking, setAsking] = useState(false);
  const form = useDraft(commonHttp.input as unknown as DraftSchema, {
    cpeId: node.id,
    url: "/status",
    token: tokenStore().read() ?? "",
  });
  return (
    <Modal
      open
      title={t("localApi.title", { name: node.name })}
      width={720}
      footer={null}
      onCancel={onClose}
    >
      <DraftForm
        form={form}
        onSubmit={async (values) => {
          setAsking(true);
          setAnswer(null);
          try {
            setAnswer((await call(commonHttp, values as InputOf<typeof commonHttp>)).data);
          } finally {
            setAsking(false);
          }
        }}
      >
        <Field
          name="url"
          kind="radio"
          label={t("localApi.what")}
          options={readable.map((path) => ({
            value: path,
            label: t(labels[path]),
          }))}
        />
        <Button type="primary" htmlType="submit" loading={isAsking}>
          {t("localApi.ask")}
        </Button>
        {isAsking && <p role="status">{t("localApi.asking")}</p>}
        {answer && (
          <section aria-live="polite">
            <p>
              <StateText
                glyph={answer.status < 400 ? "ok" : "bad"}
                label={t("localApi.answered", { status: answer.status })}
              />
            </p>
            <pre className="w-mono" style={{ overflow: "auto", maxHeight: 320 }}>
              {JSON.stringify(answer.body, null, 2)}
            </pre>
          </section>
        )}
      </DraftForm>
    </Modal>
  );
}
