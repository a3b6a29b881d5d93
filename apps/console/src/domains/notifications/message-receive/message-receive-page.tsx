import {
  type Channel,
  channelFields,
  channels,
  isHookChannel,
} from "@weft/contract/domains/notifications/channels.ts";
import {
  messageReceive,
  messageReceiveDeliveries,
  messageReceiveResend,
  messageReceiveTest,
} from "@weft/contract/domains/notifications/message-receive.ts";
import { defineMessages, languages } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import type { ReactNode } from "react";
import { May, useMay } from "#client/session.tsx";
import { codeOptions, useTexts } from "#client/texts.ts";
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
import { Field, FieldRow, When } from "#kernel/form/field.tsx";
import { useDraftContext } from "#kernel/form/use-draft.ts";
import { type Column, nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { StateText } from "#ui/glyph.tsx";

const receiveMessages = defineMessages({
  "receive.title": ["消息接收管理", "Message receive management"],
  "receive.add": ["新增接收人", "Add recipient"],
  "receive.search": ["接收人", "Recipient"],
  "receive.empty": [
    "还没有接收人。告警策略通过邮件、短信、钉钉、企业微信、飞书或 Webhook 通知接收人",
    "No recipients yet. Alarm policies notify them by e-mail, text message, DingTalk, WeChat Work, Feishu or webhook",
  ],
  "receive.removeBody": [
    "告警不再通知此人，策略的其他接收人不受影响。",
    "Alarms are no longer sent to this recipient; other recipients of the policies are kept.",
  ],
  "receive.robots": ["机器人与 Webhook", "Robots and webhook"],
  "receive.secretKept": ["已设置，留空则不变", "Set; leave empty to keep it"],
  "receive.dingtalkHelp": [
    "机器人安全设置选择“加签”并填写密钥；选择关键词时填“告警”",
    "Choose signing in the security settings of the robot and enter its secret; as a keyword use “alarm” or “告警”",
  ],
  "receive.wechatHelp": [
    "地址中的 key 就是凭证，不要公开",
    "The key in the address is the credential: keep it to yourself",
  ],
  "receive.webhookHelp": [
    "以 JSON 接收通知；填写密钥则请求带签名",
    "Receives notifications as JSON; with a secret, requests are signed",
  ],
  "receive.off": ["不接收", "Off"],
});

interface Props {
  readonly recipient: RowOf<typeof messageReceive>;
  readonly onClose: () => void;
}

/** What a recipient was sent, with a test for every channel that has an address. */
function RecipientDeliveries({ recipient, onClose }: Props) {
  const t = useTestTexts();
  const may = useMay();
  const test = useAction(messageReceiveTest, { done: t("delivery.testSent") });
  const resend = useAction(messageReceiveResend, { done: t("delivery.resent") });
  const { id, name } = recipient;
  const tests = channels
    .filter((channel) => recipient[channelFields[channel].address] !== null)
    .filter((channel) => may(channelFields[channel].may))
    .map((channel) => ({
      key: channel,
      label: t("delivery.testBy", { channel: t.code("channel", channel) }),
      run: () => void test.act({ id, channel }),
    }));
  return (
    <DeliveriesDrawer
      id={id}
      name={name}
      endpoint={messageReceiveDeliveries}
      tests={<TestButtons tests={tests} />}
      onResend={(deliveryId) => void resend.act({ deliveryId })}
      onClose={onClose}
    />
  );
}

type Row = RowOf<typeof messageReceive>;

interface WayProps {
  readonly may: Permission;
  readonly isOn: boolean;
  readonly address: string | null;
}

/** Where it goes, and whether it does; nothing for who may not see this way. */
function Way({ may, isOn, address }: WayProps): ReactNode {
  const t = useTexts(receiveMessages);
  if (!useMay()(may)) return "—";
  return <StateText glyph={isOn ? "ok" : "off"} label={address ?? t("receive.off")} />;
}

/** Robots and webhooks that are switched on, of those that the reader may see. */
function Hooks({ row }: { readonly row: Row }): ReactNode {
  const t = useTexts(receiveMessages);
  const may = useMay();
  const seen = channels.filter(
    (channel) => isHookChannel(channel) && may(channelFields[channel].may),
  );
  const on = seen.filter((channel) => row[channelFields[channel].flag]);
  if (on.length === 0) return "—";
  return <StateText glyph="ok" label={t.list(on.map((channel) => t.code("channel", channel)))} />;
}

/** Policies that notify this recipient; for who may see policies. */
function Policies({ names }: { readonly names: readonly string[] }): ReactNode {
  const t = useTexts();
  if (!useMay()("alarmStrategyView") || names.length === 0) return "—";
  return (
    <span className="w-cut" title={t.list(names)}>
      {t.list(names)}
    </span>
  );
}

const useReceiveTexts = () => useTexts(receiveMessages, deliveryMessages);
type ReceiveTexts = ReturnType<typeof useReceiveTexts>;

const wayColumns = (t: ReceiveTexts): Column<Row>[] => [
  {
    key: "email",
    title: t.field("email"),
    width: 224,
    cell: (row) => <Way may="messageReceiveEmail" isOn={row.emailFlag} address={row.email} />,
  },
  {
    key: "phone",
    title: t.field("phone"),
    width: 160,
    cell: (row) => <Way may="messageReceivePhone" isOn={row.phoneFlag} address={row.phone} />,
  },
  {
    key: "robots",
    title: t("receive.robots"),
    width: 176,
    cell: (row) => <Hooks row={row} />,
  },
  {
    key: "strategies",
    title: t.field("strategies"),
    width: 200,
    cell: (row) => <Policies names={row.strategies} />,
  },
];

interface HookFieldsProps {
  readonly channel: Channel;
  readonly row: Row | null;
  readonly help?: string;
}

/** The switch of a robot or webhook; below it its address, and the secret of the signature of its messages. */
function HookFields({ channel, row, help = "" }: HookFieldsProps) {
  const t = useReceiveTexts();
  const { values } = useDraftContext();
  const { address, flag, secret } = channelFields[channel];
  const isKept = secret !== null && row?.[`has${secretName(secret)}`] === true;
  return (
    <>
      <Field name={flag} />
      {values[flag] === true && (
        <When>
          <Field name={address} help={help} required />
          {secret !== null && (
            <Field
              name={secret}
              kind="password"
              placeholder={isKept ? t("receive.secretKept") : ""}
            />
          )}
        </When>
      )}
    </>
  );
}

type Capital = "DingtalkSecret" | "FeishuSecret" | "WebhookSecret";
const secretName = (secret: string): Capital =>
  `${secret.charAt(0).toUpperCase()}${secret.slice(1)}` as Capital;

function ReceiverFields({ row }: { readonly row: Row | null }) {
  const t = useReceiveTexts();
  return (
    <>
      <Field name="name" />
      <Field name="groupid" kind={EnterpriseControl} />
      <May code="messageReceiveEmail">
        <FieldRow>
          <Field name="email" />
          <Field name="emailFlag" />
        </FieldRow>
      </May>
      <May code="messageReceivePhone">
        <FieldRow>
          <Field name="phone" />
          <Field name="phoneFlag" />
        </FieldRow>
      </May>
      <May code="messageReceiveDingtalkFlag">
        <HookFields channel="dingtalk" row={row} help={t("receive.dingtalkHelp")} />
      </May>
      <May code="messageReceiveWechat">
        <HookFields channel="wechat" row={row} help={t("receive.wechatHelp")} />
      </May>
      <HookFields channel="feishu" row={row} />
      <HookFields channel="webhook" row={row} help={t("receive.webhookHelp")} />
      <Field name="language" kind="radio" options={codeOptions(t, "language", languages)} />
      <Field name="remark" />
    </>
  );
}

/** Who gets alarms, and by which channels (section 2.3). */
export default resourcePage(messageReceive, function useReceivers({ open }) {
  const t = useReceiveTexts();
  return {
    title: t("receive.title"),
    addLabel: t("receive.add"),
    empty: t("receive.empty"),
    nameOf: (row) => row.name,
    columns: [
      nameColumn("name", t.field("name"), (row: Row) => ({ text: row.name }), { sort: true }),
      ...wayColumns(t),
      textColumn("language", t.field("language"), (row: Row) => t.code("language", row.language), {
        width: 112,
      }),
      textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName, {
        width: 160,
      }),
      "remark",
    ],
    filters: [
      { key: "name", kind: "text", label: t("receive.search") },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: {
        name: "",
        groupid: null,
        email: null,
        emailFlag: true,
        phone: null,
        phoneFlag: false,
        dingtalk: null,
        dingtalkFlag: false,
        dingtalkSecret: "",
        wechat: null,
        wechatFlag: false,
        feishu: null,
        feishuFlag: false,
        feishuSecret: "",
        webhook: null,
        webhookFlag: false,
        webhookSecret: "",
        language: "zh_cn" as const,
        remark: "",
      },
      body: (row) => <ReceiverFields row={row} />,
    },
    actions: (row, { edit, remove }) => [
      { key: "deliveries", label: t("delivery.log"), run: () => open("deliveries", row.id) },
      edit,
      remove,
    ],
    removal: { body: () => t("receive.removeBody") },
    dialogs: (opened, row, close) =>
      opened.what === "deliveries" && row ? (
        <RecipientDeliveries recipient={row} onClose={close} />
      ) : null,
    touches: ["alarmStrategy"],
  };
});
