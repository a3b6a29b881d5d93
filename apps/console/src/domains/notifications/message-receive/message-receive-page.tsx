import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import { languages } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import type { ReactNode } from "react";
import { May, useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { codeOptions, Field, FieldRow } from "#kernel/form/field.tsx";
import { type Column, nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { StateText } from "#ui/glyph.tsx";
import { receiveMessages } from "./messages.ts";

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

const wayColumns = (t: { field(name: string): string }): Column<Row>[] => [
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
    key: "strategies",
    title: t.field("strategies"),
    width: 200,
    cell: (row) => <Policies names={row.strategies} />,
  },
];

function ReceiverFields() {
  const t = useTexts(receiveMessages);
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
      <Field name="language" kind="radio" options={codeOptions(t, "language", languages)} />
      <Field name="remark" />
    </>
  );
}

/** Who gets alarms by e-mail and text message (section 2.3). */
export default resourcePage(messageReceive, function useReceivers() {
  const t = useTexts(receiveMessages);
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
        language: "zh_cn",
        remark: "",
      },
      body: () => <ReceiverFields />,
    },
    removal: { body: () => t("receive.removeBody") },
    touches: ["alarmStrategy"],
  };
});
