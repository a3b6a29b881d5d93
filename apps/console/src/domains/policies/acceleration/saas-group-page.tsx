import { pop } from "@weft/contract/domains/devices/pop.ts";
import type { DestinationKind } from "@weft/contract/domains/policies/acceleration-enums.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { ComponentType, FunctionComponent } from "react";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage, resourceView } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { AccelerationTabs } from "./acceleration-tabs.tsx";
import { useAccelerationTexts } from "./acceleration-texts.ts";
import { Members, MembersInput } from "./destinations.tsx";
import { accelerationMessages } from "./messages.ts";

type Group = (typeof saasGroups)[DestinationKind];
type Row = RowOf<Group>;

function GroupFields({ kind }: { readonly kind: DestinationKind }) {
  const t = useAccelerationTexts();
  return (
    <>
      <FieldRow>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <Field name="values" help={t(`group.help.${kind}`)}>
        {(control) => (
          <MembersInput kind={kind} control={control as FieldControl<readonly string[]>} />
        )}
      </Field>
      <Field
        name="popId"
        kind="combo"
        endpoint={pop.ops.combo}
        placeholder={t("accel.popAuto")}
        help={t("accel.popHelp")}
      />
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}

const fields: Readonly<Record<DestinationKind, FunctionComponent>> = {
  domain: () => <GroupFields kind="domain" />,
  dpi: () => <GroupFields kind="dpi" />,
  ip: () => <GroupFields kind="ip" />,
  app: () => <GroupFields kind="app" />,
};

/** The screen of one kind of acceleration group (section 2.4): the four differ in their members. */
const pageOf = (kind: DestinationKind): ComponentType =>
  resourcePage(
    resourceView(saasGroups[kind] as Group, {
      messages: accelerationMessages,
      title: `group.${kind}`,
      addLabel: "group.add",
      empty: `group.empty.${kind}`,
      nameOf: (row) => row.name,
      columns: (t) => [
        nameColumn("name", t.field("name"), (row: Row) => ({ text: row.name }), { sort: true }),
        {
          key: "values",
          title: t.field("values"),
          width: 320,
          cell: (row: Row) => <Members kind={kind} values={row.values} />,
        },
        textColumn("popName", t.field("popName"), (row: Row) => row.popName, {
          missing: t("accel.popAuto"),
        }),
        enableColumn(t),
        textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName),
        "remark",
        "createTime",
      ],
      filters: (t) => [
        { key: "name", kind: "text", label: t("accel.member.search") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ],
      initial: { name: "", groupid: null, values: [], popId: null, enable: true, remark: "" },
      removeBody: (_, t) => t("group.removeBody"),
      // Calls of the family are together in the cache.
      touches: ["saasGroup"],
      slots: { toolbar: AccelerationTabs, formBody: fields[kind] },
    }),
  );

export const DomainGroupPage = pageOf("domain");
export const DpiGroupPage = pageOf("dpi");
export const IpGroupPage = pageOf("ip");
export const AppGroupPage = pageOf("app");
