import {
  identityProvider,
  identityProviderCheck,
  identityProviderLink,
  identityProviderSetters,
} from "@weft/contract/domains/access/identity-provider.ts";
import { roleCombo } from "@weft/contract/domains/access/role.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import Select from "antd/es/select";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { providerMessages } from "./messages.ts";
import { ProviderCheck } from "./provider-check.tsx";
import { RoleMapInput } from "./role-map-input.tsx";

type Row = RowOf<typeof identityProvider>;

const guarded = passwordFields(identityProviderSetters);

const useProviderTexts = () => useTexts(providerMessages);

function DomainsInput({ control }: { readonly control: FieldControl<string[] | null> }) {
  return (
    <Select<string[]>
      id={control.id}
      mode="tags"
      open={false}
      suffixIcon={null}
      style={{ width: "100%" }}
      tokenSeparators={[",", " "]}
      value={[...(control.value ?? [])]}
      aria-describedby={control.describedBy}
      onChange={control.set}
      onBlur={control.leave}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}

function Fields({ row }: { readonly row: Row | null }) {
  const t = useProviderTexts();
  const { data = [] } = useCall(roleCombo, { groupid: null });
  // Roles of several enterprises may have one name.
  const roles = data.map(({ id, name }) => ({ value: id, label: `${name} (#${id})` }));
  return (
    <>
      <Field name="name" />
      <Field name="groupid" kind={EnterpriseControl} help={t("provider.groupidHelp")} />
      <Field name="issuer" help={t("provider.issuerHelp")} />
      <Field name="clientId" />
      <Field
        name="clientSecret"
        kind="password"
        autoComplete="off"
        help={t(row?.hasSecret ? "provider.secretKept" : "provider.secretHelp")}
      />
      <Field name="scopes" />
      <Field name="claimOfGroups" />
      <Field name="emailDomains" help={t("provider.domainsHelp")}>
        {(control) => <DomainsInput control={control as FieldControl<string[] | null>} />}
      </Field>
      <Field name="roleMap" help={t("provider.mapHelp")}>
        {(control) => <RoleMapInput control={control as never} roles={roles} />}
      </Field>
      <Field name="defaultRoleId" help={t("provider.defaultHelp")}>
        {(control) => (
          <Select
            id={control.id}
            allowClear
            style={{ width: "100%" }}
            value={control.value as number | null}
            options={roles}
            showSearch={{ optionFilterProp: "label" }}
            aria-describedby={control.describedBy}
            onChange={(value) => control.set(value ?? null)}
            onBlur={control.leave}
          />
        )}
      </Field>
      <Field name="createUsers" />
      <Field name="providerMfa" help={t("provider.mfaHelp")} />
      <Field name="enable" />
      <Field name="remark" />
      <OwnPassword row={row} fields={guarded} />
    </>
  );
}

/** Providers of single sign-on (docs/operations.md). */
export default resourcePage(identityProvider, function useProviders({ open }) {
  const t = useProviderTexts();
  return {
    title: t("provider.title"),
    addLabel: t("provider.add"),
    empty: t("provider.empty"),
    nameOf: (row) => row.name,
    columns: [
      nameColumn("name", t.field("name"), (row: Row) => ({ text: row.name }), { sort: true }),
      enableColumn(t),
      textColumn("issuer", t.field("issuer"), (row: Row) => row.issuer, { width: 288 }),
      textColumn("clientId", t.field("clientId"), (row: Row) => row.clientId, { width: 144 }),
      textColumn("users", t.field("users"), (row: Row) => String(row.users), { width: 96 }),
      textColumn("enterpriseName", t.field("enterpriseName"), (row: Row) => row.enterpriseName, {
        width: 144,
      }),
      "remark",
    ],
    filters: [
      { key: "name", kind: "text", label: t("provider.search") },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: {
        name: "",
        groupid: null,
        issuer: "",
        clientId: "",
        clientSecret: "",
        remark: "",
        scopes: "openid profile email",
        claimOfGroups: "groups",
        emailDomains: [],
        roleMap: [],
        defaultRoleId: null,
        createUsers: true,
        providerMfa: false,
        enable: true,
        oldPsw: null,
      },
      draft: identityProvider.ops.add.input,
      body: (row) => <Fields row={row} />,
    },
    actions: (row, { edit, remove }) => {
      const disabledReason = row.manageable ? null : t("provider.stronger");
      return [
        {
          key: "check",
          label: t("provider.check"),
          may: identityProviderCheck.may,
          run: () => open("check", row.id),
        },
        {
          key: "link",
          label: t("provider.link"),
          may: identityProviderLink.may,
          disabledReason,
          run: () => open("link", row.id),
        },
        { ...edit, disabledReason },
        { ...remove, disabledReason },
      ];
    },
    removal: { body: () => t("provider.removeBody") },
    dialogs: (opened, row, close) => {
      if (!row) return null;
      if (opened.what === "check") return <ProviderCheck row={row} onClose={close} />;
      return opened.what === "link" ? <LinkDialog row={row} onClose={close} /> : null;
    },
  };
});
