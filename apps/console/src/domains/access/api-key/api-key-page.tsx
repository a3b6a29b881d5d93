import { apiKey, apiKeySetters } from "@weft/contract/domains/access/api-key.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import { useState } from "react";
import { useSession } from "#client/session.tsx";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field } from "#kernel/form/field.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { apiKeyColumns } from "./api-key-columns.tsx";
import { type ApiKeyRow, useApiKeyTexts } from "./api-key-texts.ts";
import { MadeKey } from "./made-key.tsx";
import { RoleChoice } from "./role-choice.tsx";

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
