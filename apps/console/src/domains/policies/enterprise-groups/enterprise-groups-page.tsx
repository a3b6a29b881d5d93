import { ipgroup } from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { urlgroup } from "@weft/contract/domains/policies/enterprise-url-group.ts";
import { policyCapability } from "@weft/contract/domains/policies/policy-actions.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useSession } from "#client/session.tsx";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { MembersInput } from "#domains/policies/parts/acceleration/destinations.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { type Column, nameColumn, numberColumn, timeColumn } from "#kernel/list/columns.tsx";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { ListTabs, useListTab } from "#parts/list-tabs.tsx";
import { textWidth } from "#ui/text-width.ts";
import {
  type GroupKind,
  RemovalReach,
  SavingReach,
  UsersDrawer,
  usesColumn,
  useUsesOf,
} from "./group-uses.tsx";
import { type GroupTexts, useGroupTexts } from "./messages.ts";

type IpRow = RowOf<typeof ipgroup>;
type UrlRow = RowOf<typeof urlgroup>;

const lists = { tabs: ["ip", "url"], preset: "ip" } as const;

/** All devices of this version take the members: a form that is not of one device does not say that none does. */
const enforced = [policyCapability("routerIpgroup"), policyCapability("routerUrlgroup")];

/** What changes with a group: states of the devices that take its members. */
const touches = ["nodeState", "task", "routerIpgroup", "routerUrlgroup", "policyFinding"];

function GroupTabs() {
  const t = useGroupTexts();
  return (
    <ListTabs
      of={lists}
      label={t("objectGroup.tabs")}
      nameOf={(tab) => t(`objectGroup.tab.${tab}`)}
    />
  );
}

const filtersOf = (t: GroupTexts): FilterSpec[] => [
  { key: "name", kind: "text", label: t.field("name") },
  { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
];

/** So many members fit beside their number; all are on hover. */
const shownMembers = 3;

const membersText = (members: readonly string[], t: GroupTexts): string =>
  members.length <= shownMembers
    ? t.list(members)
    : t("objectGroup.more", {
        first: t.list(members.slice(0, shownMembers)),
        count: members.length,
      });

const membersColumn = <Row extends { readonly members: readonly string[] }>(
  t: GroupTexts,
): Column<Row> => ({
  key: "members",
  title: t.field("members"),
  width: 304,
  narrowest: 160,
  need: ({ members }) => textWidth(membersText(members, t)),
  cell: ({ members }) => (
    <span className="w-cut" title={members.join("\n")}>
      {membersText(members, t)}
    </span>
  ),
});

/** Room for names and members comes first. */
const madeColumn = <Row extends { readonly createTime: Date }>(t: GroupTexts): Column<Row> =>
  timeColumn("createTime", t.field("createTime"), (row: Row) => row.createTime, {
    sort: true,
    optional: true,
  });

function GroupFields({ kind }: { readonly kind: GroupKind }) {
  const t = useGroupTexts();
  return (
    <>
      <FieldRow help={t(`objectGroup.nameHelp.${kind}`)}>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <Field name="members" help={t(`objectGroup.membersHelp.${kind}`)}>
        {(control) => (
          <MembersInput
            kind={kind === "ip" ? "ip" : "domain"}
            control={control as FieldControl<readonly string[]>}
          />
        )}
      </Field>
      {kind === "ip" && <Field name="share" help={t("objectGroup.shareHelp")} />}
      <Field name="remark" />
    </>
  );
}

const IpGroups = resourcePage(ipgroup, function useIpGroups({ list, open }) {
  const t = useGroupTexts();
  const { groupid } = useSession();
  const uses = useUsesOf("ip", list.rows);
  return {
    title: t("objectGroup.tab.ip"),
    addLabel: t("objectGroup.add.ip"),
    empty: t("objectGroup.empty.ip"),
    nameOf: (row) => row.name,
    columns: [
      nameColumn("name", t.field("name"), (row: IpRow) => ({ text: row.name }), { sort: true }),
      {
        ...enterpriseColumn<IpRow>(t.field("enterpriseName")),
        cell: (row) =>
          row.fromAbove ? t("objectGroup.fromAbove") : enterpriseColumn<IpRow>("").cell(row),
      },
      numberColumn("count", t("objectGroup.count"), (row: IpRow) => row.members.length, {
        width: 96,
      }),
      membersColumn<IpRow>(t),
      "share",
      usesColumn<IpRow>(t, uses, ({ id }) => open("users", id)),
      "remark",
      madeColumn<IpRow>(t),
    ],
    filters: filtersOf(t),
    form: {
      initial: {
        name: "",
        groupid: list.filters.groupid ?? groupid,
        members: [],
        share: false,
        remark: "",
      },
      editTitle: (row) => t("objectGroup.edit.ip", { name: row.name }),
      body: (row) => (
        <>
          <GroupFields kind="ip" />
          <SavingReach kind="ip" id={row?.id ?? null} />
        </>
      ),
    },
    actions: ({ fromAbove }, { edit, remove }) => {
      const disabledReason = fromAbove ? t("objectGroup.readOnly") : null;
      return [
        { ...edit, disabledReason },
        { ...remove, disabledReason },
      ];
    },
    removal: { body: (row) => <RemovalReach kind="ip" id={row.id} /> },
    touches,
    tabs: <GroupTabs />,
    dialogs: ({ what }, row, close) =>
      what === "users" &&
      row && <UsersDrawer kind="ip" name={row.name} uses={uses.get(row.id)} onClose={close} />,
  };
});

const UrlGroups = resourcePage(urlgroup, function useUrlGroups({ list, open }) {
  const t = useGroupTexts();
  const { groupid } = useSession();
  const uses = useUsesOf("url", list.rows);
  return {
    title: t("objectGroup.tab.url"),
    addLabel: t("objectGroup.add.url"),
    empty: t("objectGroup.empty.url"),
    nameOf: (row) => row.name,
    columns: [
      nameColumn("name", t.field("name"), (row: UrlRow) => ({ text: row.name }), { sort: true }),
      enterpriseColumn<UrlRow>(t.field("enterpriseName")),
      numberColumn("count", t("objectGroup.count"), (row: UrlRow) => row.members.length, {
        width: 96,
      }),
      membersColumn<UrlRow>(t),
      usesColumn<UrlRow>(t, uses, ({ id }) => open("users", id)),
      "remark",
      madeColumn<UrlRow>(t),
    ],
    filters: filtersOf(t),
    form: {
      initial: { name: "", groupid: list.filters.groupid ?? groupid, members: [], remark: "" },
      editTitle: (row) => t("objectGroup.edit.url", { name: row.name }),
      body: (row) => (
        <>
          <GroupFields kind="url" />
          <SavingReach kind="url" id={row?.id ?? null} />
        </>
      ),
    },
    removal: { body: (row) => <RemovalReach kind="url" id={row.id} /> },
    touches,
    tabs: <GroupTabs />,
    dialogs: ({ what }, row, close) =>
      what === "users" &&
      row && <UsersDrawer kind="url" name={row.name} uses={uses.get(row.id)} onClose={close} />,
  };
});

/** Addresses and host names that an enterprise keeps, and what uses them (specification sections 6 and 7.2). */
export default function EnterpriseGroupsPage() {
  return (
    <CapabilitiesProvider capabilities={enforced}>
      {useListTab(lists) === "ip" ? <IpGroups /> : <UrlGroups />}
    </CapabilitiesProvider>
  );
}
