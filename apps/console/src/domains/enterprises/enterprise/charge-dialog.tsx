import { enterpriseCharge } from "@weft/contract/domains/enterprises/ledger.ts";
import { useState } from "react";
import { Field } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { MoneyInput } from "#parts/fields/money-input.tsx";
import { moneyText } from "#ui/money.tsx";
import { type EnterpriseRow, useEnterpriseTexts } from "./enterprise-texts.ts";

/** Not randomUUID: that is there over https only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

interface Props {
  readonly row: EnterpriseRow | null;
  readonly onClose: () => void;
}

/** Gives an enterprise credit. One opening of the dialog is one recharge, however often it is sent. */
export function ChargeDialog({ row, onClose }: Props) {
  return row && <Open key={row.groupid} row={row} onClose={onClose} />;
}

function Open({ row, onClose }: { readonly row: EnterpriseRow; readonly onClose: () => void }) {
  const t = useEnterpriseTexts();
  const [requestKey] = useState(newKey);
  return (
    <CallDialog
      endpoint={enterpriseCharge}
      open
      title={t("enterprise.chargeTitle", { name: row.name })}
      initial={{ groupid: row.groupid, requestKey, remark: "" }}
      ok={t("enterprise.charge")}
      touches={["enterprise", "rechargeRecord", "dealRecord", "dashboard"]}
      saved={({ balance, repeated }) =>
        t(repeated ? "enterprise.chargedBefore" : "enterprise.charged", {
          balance: moneyText(balance),
        })
      }
      onClose={onClose}
    >
      <Field name="credit" help={t("enterprise.chargeNow", { balance: moneyText(row.balance) })}>
        {(control) => <MoneyInput control={control} placeholder="0.00" autoFocus />}
      </Field>
      <Field name="remark" />
    </CallDialog>
  );
}
