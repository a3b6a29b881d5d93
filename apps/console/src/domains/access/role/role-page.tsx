import { dataScope, dataScopes, roleTypes } from "@weft/contract/domains/access/enums.ts";
import { role, roleEditDraft, roleSetters } from "@weft/contract/domains/access/role.ts";
import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import { useSession } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, type FieldControl, FieldRow, When } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { byFamily } from "./permission-families.ts";
import { PermissionTree } from "./permission-tree.tsx";
import {
  familyName,
  permissionName,
  type RoleRow,
  type RoleTexts,
  useRoleTexts,
} from "./role-texts.ts";

/** The enterprises that a role of scope 4 sees. */
function EnterpriseChoice({ control }: { readonly control: FieldControl<number[]> }) {
  const t = useRoleTexts();
  const { data } = useCall(enterpriseCombo, {});
  return (
    <ManyChoice
      control={control}
      placeholder={t("role.chooseEnterprises")}
      options={(data ?? []).map(({ groupid, name }) => ({ value: groupid, label: name }))}
    />
  );
}

const guarded = passwordFields(roleSetters);

/** Whose the role is, how far it sees, what it permits. */
function RoleFields({ row }: { readonly row: RoleRow | null }) {
  const t = useRoleTexts();
  const { hasMfa } = useSession();
  return (
    <>
      <FieldRow>
        <Field name="name" />
        <Field name="roleCode" help={t("role.codeHelp")} />
      </FieldRow>
      <FieldRow>
        <Field
          name="groupid"
          kind={EnterpriseControl}
          help={t("role.groupidHelp")}
          disabled={row !== null && t("role.groupidFixed")}
        />
        <Field name="roleType" kind="select" options={codeOptions(t, "roleType", roleTypes)} />
      </FieldRow>
      <ScopeFields t={t} />
      <Field name="authorities" help={t("role.permissionsHelp")}>
        {(control) => <PermissionTree control={control} />}
      </Field>
      <Field
        name="demandFactor"
        kind="switch"
        help={t("role.demandFactorHelp")}
        disabled={row !== null && !hasMfa && t("role.demandFactorFixed")}
      />
      <Field name="remark" />
      {row !== null && <OwnPassword row={row} fields={guarded} />}
    </>
  );
}

function ScopeFields({ t }: { readonly t: RoleTexts }) {
  const { dataScope: scope } = useDraftValues<{ dataScope: number }>();
  const options = dataScopes.map((value) => ({
    value,
    label: t.code("dataScope", value),
    help: t(`role.scopeHelp${value}`),
  }));
  return (
    <>
      <Field name="dataScope" kind="radio" options={options} />
      {scope === dataScope.custom && (
        <When>
          <Field name="groupids">{(control) => <EnterpriseChoice control={control} />}</Field>
        </When>
      )}
    </>
  );
}

/** How far a role sees; for selected enterprises, how many. */
const scopeText = (row: RoleRow, t: RoleTexts): string => {
  const label = t.code("dataScope", row.dataScope);
  if (row.dataScope !== dataScope.custom) return label;
  return `${label} (${t("role.enterprises", { count: row.groupids.length })})`;
};

/** Columns of the list of roles. */
const roleColumns = (t: RoleTexts): Column<RoleRow>[] => [
  nameColumn("name", t.field("name"), (row: RoleRow) => ({ text: row.name, note: row.roleCode }), {
    sort: true,
  }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: RoleRow) => row.enterpriseName, {
    width: 160,
  }),
  textColumn("roleType", t.field("roleType"), (row: RoleRow) => t.code("roleType", row.roleType), {
    width: 112,
  }),
  textColumn("dataScope", t.field("dataScope"), (row: RoleRow) => scopeText(row, t), {
    width: 240,
  }),
  numberColumn("authorities", t("role.permissions"), (row: RoleRow) => row.authorities.length),
  numberColumn("users", t.field("users"), (row: RoleRow) => row.users),
  textColumn("remark", t.field("remark"), (row: RoleRow) => row.remark || null, { optional: true }),
  timeColumn("createTime", t.field("createTime"), (row: RoleRow) => row.createTime, {
    sort: true,
    optional: true,
  }),
];

interface Props {
  readonly role: RoleRow;
  readonly onClose: () => void;
}

/** Everything that a role gives, to read. */
function RoleDetails({ role, onClose }: Props) {
  const t = useRoleTexts();
  const { data } = useCall(enterpriseCombo, role.groupids.length > 0 ? {} : null);
  const selected = (data ?? []).filter(({ groupid }) => role.groupids.includes(groupid));
  const families = byFamily(role.authorities);
  return (
    <Drawer open size={480} title={t("role.detailsOf", { name: role.name })} onClose={onClose}>
      <KeyValue
        items={[
          { label: t.field("roleCode"), value: role.roleCode },
          { label: t.field("enterpriseName"), value: role.enterpriseName },
          { label: t.field("roleType"), value: t.code("roleType", role.roleType) },
          { label: t.field("dataScope"), value: scopeText(role, t) },
          ...(selected.length > 0
            ? [{ label: t.field("groupids"), value: t.list(selected.map(({ name }) => name)) }]
            : []),
          { label: t.field("users"), value: role.users },
          ...families.map(({ family, codes }) => ({
            label: familyName(family, t),
            value: t.list(codes.map((code) => permissionName(code, t))),
          })),
        ]}
      />
      {families.length === 0 && <p>{t("role.givesNothing")}</p>}
    </Drawer>
  );
}

/** Roles: what users may do, and how far they see (section 6). */
export default resourcePage(role, ({ open }) => {
  const t = useRoleTexts();
  const { groupid } = useSession();
  return {
    title: t("role.title"),
    addLabel: t("role.add"),
    empty: t("role.empty"),
    nameOf: ({ name }) => name,
    columns: roleColumns(t),
    filters: [
      { key: "name", kind: "text", label: t("role.search") },
      {
        key: "roleType",
        kind: "select",
        label: t.field("roleType"),
        options: codeOptions(t, "roleType", roleTypes),
      },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      width: 720,
      initial: {
        roleCode: "",
        name: "",
        groupid,
        roleType: 2 as const,
        dataScope: dataScope.ownEnterprise,
        groupids: [],
        authorities: [],
        demandFactor: false,
        remark: "",
        oldPsw: null,
      },
      body: (row) => <RoleFields row={row} />,
      editTitle: ({ name }) => t("role.editOf", { name }),
      editDraft: roleEditDraft,
      touches: ["user"],
    },
    actions: (row, { edit, remove }) => {
      const stronger = row.manageable ? null : t("role.stronger");
      const used = row.users > 0 ? t("role.used", { count: row.users }) : null;
      return [
        { key: "details", label: t("act.details"), run: () => open("details", row.roleId) },
        { ...edit, disabledReason: stronger },
        { ...remove, disabledReason: stronger ?? used },
      ];
    },
    removal: {
      title: ({ name }) => t("role.removeTitle", { name }),
      body: () => t("role.removeBody"),
    },
    dialogs: (opened, row, close) =>
      opened.what === "details" && row && <RoleDetails role={row} onClose={close} />,
  };
});
