import { pop } from "@weft/contract/domains/devices/pop.ts";
import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { AccelerationTabs } from "#domains/policies/parts/acceleration/acceleration-tabs.tsx";
import { Members, MembersInput } from "#domains/policies/parts/acceleration/destinations.tsx";
import { useAccelerationTexts } from "#domains/policies/parts/acceleration/messages.ts";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { type ResourceView, resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";

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

/** The screen of one kind of acceleration group (section 2.4): the four differ in their members. */
function useGroups(kind: DestinationKind): ResourceView<Group> {
  const t = useAccelerationTexts();
  return {
    title: t(`group.${kind}`),
    addLabel: t("group.add"),
    empty: t(`group.empty.${kind}`),
    nameOf: (row) => row.name,
    columns: [
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
    filters: [
      { key: "name", kind: "text", label: t("accel.member.search") },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: { name: "", groupid: null, values: [], popId: null, enable: true, remark: "" },
      body: () => <GroupFields kind={kind} />,
    },
    removal: { body: () => t("group.removeBody") },
    // Calls of the family share a cache key.
    touches: ["saasGroup"],
    tabs: <AccelerationTabs />,
  };
}

export const DomainGroupPage = resourcePage(saasGroups.domain as Group, function useDomainGroups() {
  return useGroups("domain");
});
export const DpiGroupPage = resourcePage(saasGroups.dpi as Group, function useDpiGroups() {
  return useGroups("dpi");
});
export const IpGroupPage = resourcePage(saasGroups.ip as Group, function useIpGroups() {
  return useGroups("ip");
});
export const AppGroupPage = resourcePage(saasGroups.app as Group, function useAppGroups() {
  return useGroups("app");
});
