import {
  identityProvider,
  identityProviderLink,
  identityProviderLinks,
} from "@weft/contract/domains/access/identity-provider.ts";
import { user } from "@weft/contract/domains/access/user.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import Select from "antd/es/select";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import styles from "./identity-provider.module.css";
import { providerMessages } from "./messages.ts";

interface Props {
  readonly row: RowOf<typeof identityProvider>;
  readonly onClose: () => void;
}

const wholeList = { loginName: null, groupid: null, enable: null, page: 1, limit: 1000 };

/** Links an account that exists to a person at the provider. */
export function LinkDialog({ row, onClose }: Props) {
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
