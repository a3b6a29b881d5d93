import { apiKey, apiKeyAdd } from "@weft/contract/domains/access/api-key.ts";
import { useState } from "react";
import { useOpened } from "#client/opened.ts";
import { useSession } from "#client/session.tsx";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { Field } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { apiKeyColumns } from "./api-key-columns.tsx";
import { type ApiKeyRow, useApiKeyTexts } from "./api-key-texts.ts";
import { MadeKey } from "./made-key.tsx";
import { RoleChoice } from "./role-choice.tsx";

const YEAR_MS = 365 * 24 * 3_600_000;

/** Keys for programs: made with a role and an end, shown once, revoked at any time. */
export default function ApiKeyPage() {
  const t = useApiKeyTexts();
  const list = useResourceList(apiKey);
  const { opened, open, close } = useOpened();
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const revoke = useRemove(apiKey, {
    title: ([row]) => t("apiKey.revokeTitle", { name: row?.name ?? "" }),
    body: ([row]) => t("apiKey.revokeBody", { prefix: row?.prefix ?? "" }),
    ok: t("apiKey.revoke"),
  });
  const add = { label: t("apiKey.add"), may: apiKey.may.add, run: () => open("add") };
  const row =
    opened?.what === "edit" ? (list.rows.find((one) => one.id === opened.id) ?? null) : null;
  const actionsOf = (one: ApiKeyRow) => {
    const disabledReason = one.manageable ? null : t("apiKey.stronger");
    const edit = () => open("edit", one.id);
    return [
      { key: "edit", label: t("act.edit"), may: apiKey.may.edit, disabledReason, run: edit },
      {
        key: "revoke",
        label: t("apiKey.revoke"),
        may: apiKey.may.remove,
        danger: true,
        disabledReason,
        run: () => void revoke([one]),
      },
    ];
  };
  return (
    <ListPage
      title={t("apiKey.title")}
      list={list}
      rowKey="id"
      columns={apiKeyColumns(t)}
      filters={[
        { key: "name", kind: "text", label: t("apiKey.search") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ]}
      add={add}
      actions={actionsOf}
      empty={{ text: t("apiKey.empty"), action: add }}
    >
      <KeyForm
        open={opened?.what === "add" || row !== null}
        row={row}
        onClose={close}
        onMade={setMade}
      />
      {made && <MadeKey made={made} onClose={() => setMade(null)} />}
    </ListPage>
  );
}

interface FormProps {
  readonly open: boolean;
  /** Null: a new key. */
  readonly row: ApiKeyRow | null;
  readonly onClose: () => void;
  readonly onMade: (made: { name: string; key: string }) => void;
}

function KeyForm({ open, row, onClose, onMade }: FormProps) {
  const t = useApiKeyTexts();
  const { groupid } = useSession();
  const [inAYear] = useState(() => new Date(Date.now() + YEAR_MS));
  return (
    <ResourceForm
      resource={apiKey}
      open={open}
      row={row}
      title={row ? t("apiKey.editOf", { name: row.name }) : t("apiKey.add")}
      initial={{ name: "", groupid, expireTime: inAYear, remark: "" }}
      add={apiKeyAdd}
      onClose={onClose}
      onSaved={(_, answer) => {
        // An edit answers nothing: a key is shown when it is made only.
        if (answer && "key" in answer) onMade(answer as { name: string; key: string });
      }}
    >
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
    </ResourceForm>
  );
}
