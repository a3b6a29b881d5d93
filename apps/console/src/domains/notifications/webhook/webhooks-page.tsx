import { webhookEvents } from "@weft/contract/domains/notifications/enums.ts";
import {
  secretPrefix,
  webhook,
  webhookDeliveries,
  webhookReplay,
  webhookTest,
} from "@weft/contract/domains/notifications/webhook.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { DeliveriesDrawer } from "#domains/notifications/parts/deliveries/deliveries-drawer.tsx";
import { deliveryMessages } from "#domains/notifications/parts/deliveries/messages.ts";
import {
  TestButtons,
  useTestTexts,
} from "#domains/notifications/parts/deliveries/test-buttons.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { nameColumn, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import type { Glyph } from "#ui/glyph.tsx";

interface Props {
  readonly row: RowOf<typeof webhook>;
  readonly onClose: () => void;
}

/** What a webhook was sent, with replays and a test. */
function WebhookDeliveries({ row, onClose }: Props) {
  const t = useTestTexts();
  const may = useMay();
  const test = useAction(webhookTest, { done: t("delivery.testSent") });
  const replay = useAction(webhookReplay, { done: t("delivery.resent") });
  const isEditor = may(webhookTest.may);
  const button = {
    key: "test",
    label: t("delivery.test"),
    run: () => void test.act({ id: row.id }),
  };
  return (
    <DeliveriesDrawer
      id={row.id}
      name={row.name}
      endpoint={webhookDeliveries}
      tests={<TestButtons tests={isEditor ? [button] : []} />}
      onResend={isEditor ? (deliveryId) => void replay.act({ deliveryId }) : null}
      onClose={onClose}
    />
  );
}

type Row = RowOf<typeof webhook>;

const messages = defineMessages({
  "webhook.title": ["Webhook", "Webhooks"],
  "webhook.add": ["新增 Webhook", "Add webhook"],
  "webhook.empty": [
    "还没有 Webhook。事件发生时，控制器向它的地址发送签名的 HTTP 请求",
    "No webhooks yet. When an event occurs, the controller sends a signed HTTP request to their address",
  ],
  "webhook.removeBody": [
    "不再发送事件，等待中的投递和投递记录一并删除。",
    "Events are no longer sent; waiting deliveries and the log are removed as well.",
  ],
  "webhook.urlHelp": [
    "https 公网地址；内网地址须由平台管理员允许",
    "A public https address; private ones need the permission of the installation",
  ],
  "webhook.secretHelp": [
    "接收方用它验证 webhook-signature；保存后不再显示",
    "The receiver checks webhook-signature with it; it is not shown again after saving",
  ],
  "webhook.secretKept": ["已设置，留空则不变", "Set; leave empty to keep it"],
  "webhook.generate": ["生成", "Generate"],
  "webhook.never": ["未投递", "None yet"],
});
const useWebhookTexts = () => useTexts(messages, deliveryMessages);

const glyphs: Readonly<Record<NonNullable<Row["lastState"]>, Glyph>> = {
  waiting: "run",
  sent: "ok",
  failed: "bad",
};

/** 32 random bytes, as libraries for receivers take them. */
const newSecret = (): string =>
  `${secretPrefix}${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;

function SecretInput({ control, isKept }: { control: FieldControl; isKept: boolean }) {
  const t = useWebhookTexts();
  return (
    <Input
      id={control.id}
      className="w-mono"
      autoComplete="off"
      value={typeof control.value === "string" ? control.value : ""}
      placeholder={isKept ? t("webhook.secretKept") : ""}
      status={control.isWrong ? "error" : ""}
      aria-describedby={control.describedBy}
      suffix={
        <Button type="link" size="small" onClick={() => control.set(newSecret())}>
          {t("webhook.generate")}
        </Button>
      }
      onChange={(event) => control.set(event.target.value)}
      onBlur={control.leave}
    />
  );
}

function Fields({ row }: { readonly row: Row | null }) {
  const t = useWebhookTexts();
  return (
    <>
      <Field name="name" />
      <Field name="groupid" kind={EnterpriseControl} />
      <Field name="url" help={t("webhook.urlHelp")} />
      <Field name="secret" required={row === null} help={t("webhook.secretHelp")}>
        {(control) => <SecretInput control={control} isKept={row !== null} />}
      </Field>
      <Field name="events">
        {(control) => (
          <ManyChoice
            control={control as FieldControl<readonly string[]>}
            options={webhookEvents.map((event) => ({
              value: event as string,
              label: t.code("webhookEvent", event),
            }))}
          />
        )}
      </Field>
      <Field name="below" />
      <Field name="enable" />
      <Field name="remark" />
    </>
  );
}

/** Programs that are notified of events by signed HTTP requests (docs/webhooks.md). */
export default resourcePage(webhook, function useWebhooks({ open }) {
  const t = useWebhookTexts();
  const eventText = ({ events }: Row): string =>
    t.list(events.map((event) => t.code("webhookEvent", event)));
  return {
    title: t("webhook.title"),
    addLabel: t("webhook.add"),
    empty: t("webhook.empty"),
    nameOf: (row) => row.name,
    columns: [
      nameColumn("name", t.field("name"), (row: Row) => ({ text: row.name }), { sort: true }),
      enableColumn(t),
      textColumn("url", t.field("url"), (row: Row) => row.url, { width: 256 }),
      textColumn("events", t.field("events"), eventText, { width: 208 }),
      stateColumn(
        "lastState",
        t.field("lastState"),
        ({ lastState }: Row) =>
          lastState === null
            ? { glyph: "off", label: t("webhook.never") }
            : { glyph: glyphs[lastState], label: t.code("deliveryState", lastState) },
        { width: 128 },
      ),
      textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName, {
        width: 144,
      }),
      "remark",
    ],
    filters: [
      { key: "name", kind: "text", label: t.field("name") },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: {
        name: "",
        groupid: null,
        url: "",
        secret: "",
        events: [],
        below: true,
        enable: true,
        remark: "",
      },
      body: (row) => <Fields row={row} />,
    },
    actions: (row, { edit, remove }) => [
      {
        key: "deliveries",
        label: t("delivery.log"),
        may: webhook.may.list,
        run: () => open("deliveries", row.id),
      },
      edit,
      remove,
    ],
    removal: { body: () => t("webhook.removeBody") },
    dialogs: (opened, row, close) =>
      opened.what === "deliveries" && row ? <WebhookDeliveries row={row} onClose={close} /> : null,
  };
});
