import { pop } from "@weft/contract/domains/devices/pop.ts";
import { mobileAccount, terminalTypes } from "@weft/contract/domains/mobile/mobile-account.ts";
import { useMay, useSession } from "#client/session.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { codeOptions, Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { BandwidthField } from "#parts/fields/bandwidth-field.tsx";
import { type AccountRow, useAccountTexts } from "./account-texts.ts";

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: AccountRow | null;
  readonly groupid: number | null;
  readonly onClose: () => void;
}

/** An account. Who may not see bandwidth or set ends has no such fields; what there is stays. */
export function AccountForm({ open, row, groupid, onClose }: Props) {
  const t = useAccountTexts();
  const may = useMay();
  const session = useSession();
  return (
    <ResourceForm
      resource={mobileAccount}
      open={open}
      row={row}
      title={row === null ? t("account.add") : t("account.editOf", { name: row.alias })}
      width={720}
      initial={{
        groupid: groupid ?? session.groupid,
        popId: null,
        loginName: "",
        alias: "",
        terminalType: 6,
        enable: true,
        txbps: null,
        rxbps: null,
        phone: null,
        email: null,
        expire: null,
        remark: "",
      }}
      onClose={onClose}
    >
      <Field name="groupid" kind={EnterpriseControl} />
      <FieldRow>
        <Field name="loginName" kind="mono" />
        <Field name="alias" />
      </FieldRow>
      <FieldRow>
        <Field
          name="terminalType"
          kind="select"
          options={codeOptions(t, "terminalType", terminalTypes)}
        />
        <Field name="popId" kind="combo" endpoint={pop.ops.combo} />
      </FieldRow>
      {may("accountQosView") && (
        <FieldRow>
          <BandwidthField name="txbps" help={t("account.bandwidthHelp")} />
          <BandwidthField name="rxbps" help={t("account.bandwidthHelp")} />
        </FieldRow>
      )}
      <FieldRow>
        <Field name="phone" />
        <Field name="email" />
      </FieldRow>
      {may("accountExpire") && (
        <Field name="expire" kind="dateTime" help={t("account.expireHelp")} />
      )}
      <Field name="enable" />
      <Field name="remark" />
    </ResourceForm>
  );
}
