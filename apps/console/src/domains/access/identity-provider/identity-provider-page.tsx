import {
  identityProvider,
  identityProviderCheck,
  identityProviderLink,
  identityProviderLinks,
  identityProviderSetters,
} from "@weft/contract/domains/access/identity-provider.ts";
import { roleCombo } from "@weft/contract/domains/access/role.ts";
import type { GroupRole } from "@weft/contract/domains/access/role-map.ts";
import { user } from "@weft/contract/domains/access/user.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import Select from "antd/es/select";
import { useEffect, useState } from "react";
import { CallError, call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { StatusGlyph } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { ShownSecret } from "#ui/shown-secret.tsx";
import styles from "./identity-provider.module.css";
import { providerMessages } from "./messages.ts";

interface LinkDialogProps {
  readonly row: RowOf<typeof identityProvider>;
  readonly onClose: () => void;
}

const wholeList = { loginName: null, groupid: null, enable: null, page: 1, limit: 1000 };

/** Links an account that exists to a person at the provider. */
function LinkDialog({ row, onClose }: LinkDialogProps) {
  const t = useTexts(providerMessages);
  return (
    <CallDialog
      open
      endpoint={identityProviderLink}
      title={t("provider.linkOf", { name: row.name })}
      initial={{ id: row.id, subject: "", oldPsw: null }}
      ok={t("provider.save")}
      touches={[identityProvider.name]}
      saved={() => t("provider.linked")}
      onClose={onClose}
    >
      <Linked id={row.id} />
      <Field name="userId" label={t.field("loginName")}>
        {(control) => <UserChoice control={control} />}
      </Field>
      <Field name="subject" help={t("provider.linkHelp")} />
      <OwnPassword />
    </CallDialog>
  );
}

/** Accounts that are linked, each with the subject of its person. */
function Linked({ id }: { readonly id: number }) {
  const { data = [] } = useCall(identityProviderLinks, { id });
  return (
    <ul className={styles.links}>
      {data.map(({ userId, loginName, subject }) => (
        <li key={userId}>
          {loginName} <span className="w-mono">{subject}</span>
        </li>
      ))}
    </ul>
  );
}

function UserChoice({ control }: { readonly control: FieldControl<number | null> }) {
  const { data } = useCall(user.ops.list, wholeList as never);
  const rows = (data ?? []) as readonly RowOf<typeof user>[];
  return (
    <Select
      id={control.id}
      style={{ width: "100%" }}
      value={control.value}
      options={rows.map(({ userId, loginName }) => ({ value: userId, label: loginName }))}
      showSearch={{ optionFilterProp: "label" }}
      aria-describedby={control.describedBy}
      onChange={control.set}
      onBlur={control.leave}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}

interface ProviderCheckProps {
  readonly row: RowOf<typeof identityProvider>;
  readonly onClose: () => void;
}

type Result = OutputOf<typeof identityProviderCheck>;

/** Reads what a login needs of the provider, and shows what failed. */
function ProviderCheck({ row, onClose }: ProviderCheckProps) {
  const t = useTexts(providerMessages);
  const [result, setResult] = useState<Result | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { id } = row;
  useEffect(() => {
    const ended = new AbortController();
    void call(identityProviderCheck, { id }, { signal: ended.signal })
      .then(({ data }) => setResult(data))
      .catch((error: unknown) => {
        if (error instanceof CallError) setFault(error.message);
      });
    return () => ended.abort();
  }, [id]);
  return (
    <Modal open title={t("provider.checkOf", { name: row.name })} footer={null} onCancel={onClose}>
      <div className={styles.check} aria-live="polite">
        {result === null ? (fault ?? t("provider.checking")) : <Outcome result={result} />}
        {result && (
          <ShownSecret
            label={t("provider.redirect")}
            text={`${location.origin}${new URL(result.redirectUri).pathname}`}
          />
        )}
      </div>
    </Modal>
  );
}

function Outcome({ result: { failed, detail } }: { readonly result: Result }) {
  const t = useTexts(providerMessages);
  if (failed === null) {
    return (
      <span>
        <StatusGlyph glyph="ok" /> {t("provider.works")}
      </span>
    );
  }
  return (
    <div>
      <StatusGlyph glyph="bad" /> {t("provider.failed", { step: t.code("providerStep", failed) })}
      <p className={styles.detail}>{detail}</p>
    </div>
  );
}

interface RoleOption {
  readonly value: number;
  readonly label: string;
}

interface Props {
  readonly control: FieldControl<readonly GroupRole[] | null>;
  readonly roles: readonly RoleOption[];
}

/** Groups of the provider, each with the role that it gives. */
function RoleMapInput({ control, roles }: Props) {
  const t = useTexts(providerMessages);
  const rows = control.value ?? [];
  const numbered = rows.map((row, at) => ({ row, at }));
  const change = (at: number, part: Partial<GroupRole>): void =>
    control.set(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <div className={styles.map} id={control.id} aria-describedby={control.describedBy}>
      {numbered.map(({ row, at }) => (
        <div key={at} className={styles.mapRow}>
          <Input
            aria-label={t("provider.group")}
            placeholder={t("provider.group")}
            value={row.group}
            onChange={({ target }) => change(at, { group: target.value })}
          />
          <Select
            aria-label={t("provider.role")}
            placeholder={t("provider.role")}
            value={row.roleId || null}
            options={[...roles]}
            showSearch={{ optionFilterProp: "label" }}
            onChange={(roleId) => change(at, { roleId: roleId ?? 0 })}
          />
          <Button onClick={() => control.set(rows.filter((_, index) => index !== at))}>
            {t("provider.removeGroup")}
          </Button>
        </div>
      ))}
      <Button onClick={() => control.set([...rows, { group: "", roleId: 0 }])}>
        {t("provider.addGroup")}
      </Button>
    </div>
  );
}

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
