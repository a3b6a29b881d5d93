import { apiKey, apiKeySetters } from "@weft/contract/domains/access/api-key.ts";
import { roleCombo } from "@weft/contract/domains/access/role.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import Select from "antd/es/select";
import { useEffect, useState } from "react";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import {
  type Column,
  copyColumn,
  nameColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { ShownSecret } from "#ui/shown-secret.tsx";
import styles from "./made-key.module.css";

const apiKeyMessages = defineMessages({
  "apiKey.title": ["API 密钥", "API keys"],
  "apiKey.add": ["新增 API 密钥", "Add API key"],
  "apiKey.editOf": ["编辑 {name}", "Edit {name}"],
  "apiKey.search": ["搜索名称", "Search name"],
  "apiKey.empty": [
    "还没有 API 密钥。程序用它代替登录，权限来自一个角色",
    "No API keys yet. Programs use them instead of logging in, with the permissions of one role",
  ],
  "apiKey.stronger": ["角色权限超出您的权限", "Its role has more permissions than you have"],
  "apiKey.roleHelp": [
    "权限和数据范围来自角色，且不超过创建人现有的权限",
    "Permissions and data scope come from the role, and never exceed those of the user who created the key",
  ],
  "apiKey.enterpriseFixed": ["密钥不能换企业", "A key stays in its enterprise"],
  "apiKey.noRoles": ["该企业没有您可授予的角色", "The enterprise has no role that you may assign"],
  "apiKey.expired": ["已到期", "Expired"],
  "apiKey.dueSoon": ["即将到期", "Due soon"],
  "apiKey.valid": ["有效", "Valid"],
  "apiKey.state": ["有效状态", "Validity"],
  "apiKey.neverUsed": ["未使用过", "Never used"],
  "apiKey.revoke": ["吊销", "Revoke"],
  "apiKey.revokeTitle": ["吊销密钥 {name}", "Revoke key {name}"],
  "apiKey.revokeBody": [
    "使用 {prefix}… 的程序立即失去访问，且不可恢复；操作记录保留",
    "Programs that use {prefix}… lose access immediately and permanently; what they did stays in the log",
  ],
  "apiKey.madeTitle": ["密钥 {name} 已创建", "Key {name} created"],
  "apiKey.once": ["只显示这一次，关闭后无法再查看", "Shown only once; it cannot be shown again"],
  "apiKey.key": ["密钥", "Key"],
  "apiKey.example": ["用法", "How to use it"],
  "apiKey.copied": ["已保存", "I have saved it"],
});

type ApiKeyRow = RowOf<typeof apiKey>;

/** Texts of this folder. */
const useApiKeyTexts = () => useTexts(apiKeyMessages);
type ApiKeyTexts = ReturnType<typeof useApiKeyTexts>;

/** So long before its end a key is due soon. */
const dueSoonMs = 30 * 24 * 3_600_000;

const stateOf = ({ expireTime }: ApiKeyRow, t: ApiKeyTexts): { glyph: Glyph; label: string } => {
  const left = expireTime.getTime() - Date.now();
  if (left <= 0) return { glyph: "bad", label: t("apiKey.expired") };
  if (left < dueSoonMs) return { glyph: "warn", label: t("apiKey.dueSoon") };
  return { glyph: "ok", label: t("apiKey.valid") };
};

/** Columns of the list of keys. */
const apiKeyColumns = (t: ApiKeyTexts): Column<ApiKeyRow>[] => [
  stateColumn("state", t("apiKey.state"), (row: ApiKeyRow) => stateOf(row, t), { width: 112 }),
  nameColumn("name", t.field("name"), (row: ApiKeyRow) => ({ text: row.name }), { sort: true }),
  copyColumn("prefix", t.field("prefix"), (row: ApiKeyRow) => row.prefix, { width: 160 }),
  textColumn("roleName", t.field("roleName"), (row: ApiKeyRow) => row.roleName, { width: 144 }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: ApiKeyRow) => row.enterpriseName, {
    width: 144,
  }),
  timeColumn("expireTime", t.field("expireTime"), (row: ApiKeyRow) => row.expireTime, {
    form: "stamp",
    sort: true,
    width: 176,
  }),
  timeColumn("lastUsed", t.field("lastUsed"), (row: ApiKeyRow) => row.lastUsed, {
    form: "since",
    missing: t("apiKey.neverUsed"),
  }),
  copyColumn("lastIp", t.field("lastIp"), (row: ApiKeyRow) => row.lastIp, {
    width: 144,
    optional: true,
  }),
  textColumn("createBy", t.field("createBy"), (row: ApiKeyRow) => row.createBy, { width: 144 }),
  timeColumn("createTime", t.field("createTime"), (row: ApiKeyRow) => row.createTime, {
    sort: true,
    optional: true,
  }),
];

interface MadeKeyProps {
  readonly made: { readonly name: string; readonly key: string };
  readonly onClose: () => void;
}

/** Shows a new key, this once. */
function MadeKey({ made, onClose }: MadeKeyProps) {
  const t = useApiKeyTexts();
  const example = `curl -H "Authorization: ${made.key}" ${location.origin}/customer/session`;
  return (
    <Modal
      open
      width={640}
      title={t("apiKey.madeTitle", { name: made.name })}
      // It cannot be shown again: a stray click beside the dialog must not lose it.
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t("apiKey.copied")}
        </Button>
      }
    >
      <div className={styles.body}>
        <span>
          <StatusGlyph glyph="warn" /> {t("apiKey.once")}
        </span>
        <ShownSecret label={t("apiKey.key")} text={made.key} />
        <ShownSecret label={t("apiKey.example")} text={example} />
      </div>
    </Modal>
  );
}

/** A role of the form's enterprise that the caller may give; one of another enterprise is dropped. */
function RoleChoice({ control }: { readonly control: FieldControl<number | null> }) {
  const t = useApiKeyTexts();
  const { groupid = null } = useDraftValues<{ groupid?: number | null }>();
  const { data } = useCall(roleCombo, groupid === null ? null : { groupid });
  const { id, value, set } = control;
  useEffect(() => {
    if (data && value != null && !data.some((role) => role.id === value)) set(null);
  }, [data, value, set]);
  return (
    <Select
      id={id}
      style={{ width: "100%" }}
      value={value}
      onChange={set}
      onBlur={control.leave}
      options={(data ?? []).map((role) => ({ value: role.id, label: role.name }))}
      notFoundContent={t("apiKey.noRoles")}
      showSearch={{ optionFilterProp: "label" }}
      loading={data === undefined && groupid !== null}
      aria-describedby={control.describedBy}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}

interface MadeApiKey {
  readonly name: string;
  readonly key: string;
}

interface Props {
  onMade(made: MadeApiKey): void;
}

const yearMs = 365 * 24 * 3_600_000;

const guarded = passwordFields(apiKeySetters);

function KeyFields({ row }: { readonly row: ApiKeyRow | null }) {
  const t = useApiKeyTexts();
  return (
    <>
      <Field name="name" />
      <Field
        name="groupid"
        kind={EnterpriseControl}
        disabled={row !== null && t("apiKey.enterpriseFixed")}
      />
      <Field name="roleId" help={t("apiKey.roleHelp")}>
        {(control) => <RoleChoice control={control} />}
      </Field>
      <Field name="expireTime" />
      <Field name="remark" />
      <OwnPassword row={row} fields={guarded} />
    </>
  );
}

/** Keys for programs: made with a role and an end, shown once, revoked at any time. */
const KeyList = resourcePage(apiKey, function useKeys(_, { onMade }: Props) {
  const t = useApiKeyTexts();
  const { groupid } = useSession();
  const [inAYear] = useState(() => new Date(Date.now() + yearMs));
  return {
    title: t("apiKey.title"),
    addLabel: t("apiKey.add"),
    empty: t("apiKey.empty"),
    nameOf: (row) => row.name,
    columns: apiKeyColumns(t),
    filters: [
      { key: "name", kind: "text", label: t("apiKey.search") },
      { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
    ],
    form: {
      initial: { name: "", groupid, expireTime: inAYear, remark: "", oldPsw: null },
      editTitle: (row) => t("apiKey.editOf", { name: row.name }),
      draft: apiKey.ops.add.input,
      // An edit answers nothing: a key is shown when it is made only.
      onSaved: (_id, answer) => answer && "key" in answer && onMade(answer as MadeApiKey),
      body: (row) => <KeyFields row={row} />,
    },
    actions: (row, { edit, remove }) => {
      const disabledReason = row.manageable ? null : t("apiKey.stronger");
      return [
        { ...edit, disabledReason },
        { ...remove, key: "revoke", label: t("apiKey.revoke"), disabledReason },
      ];
    },
    removal: {
      title: (row) => t("apiKey.revokeTitle", { name: row.name }),
      body: (row) => t("apiKey.revokeBody", { prefix: row.prefix }),
      ok: t("apiKey.revoke"),
    },
  };
});

export default function ApiKeyPage() {
  const [made, setMade] = useState<MadeApiKey | null>(null);
  return (
    <>
      <KeyList onMade={setMade} />
      {made && <MadeKey made={made} onClose={() => setMade(null)} />}
    </>
  );
}
