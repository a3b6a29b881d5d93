import { enterpriseTypes, passwordPolicies } from "@weft/contract/enums/people.ts";
import { enterprise } from "@weft/contract/resources/enterprise.ts";
import { codeOptions, Field, FieldGroup, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { useMay } from "#kernel/session.tsx";
import {
  type EnterpriseDraft,
  type EnterpriseRow,
  useEnterpriseTexts,
} from "./enterprise-texts.ts";
import { ParentSelect } from "./parent-select.tsx";

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: EnterpriseRow | null;
  /** Parent of a new one unless another is chosen. */
  readonly parentId: number;
  readonly onClose: () => void;
}

const newEnterprise = (parentId: number): EnterpriseDraft => ({
  name: "",
  enterpriseType: 0,
  parentId,
  isAgent: false,
  provice: "",
  city: "",
  region: "",
  contact: "",
  phone: null,
  email: null,
  passwordPolicy: "spec",
  remark: "",
});

/** The one form of an enterprise, for adding and editing. */
export function EnterpriseForm({ open, row, parentId, onClose }: Props) {
  const t = useEnterpriseTexts();
  const may = useMay();
  // Moving an enterprise moves who may see it: a permission of its own.
  const isFixed = row !== null && !may("enterpriseEditParent");
  return (
    <ResourceForm
      resource={enterprise}
      open={open}
      row={row}
      title={row ? t("enterprise.editOf", { name: row.name }) : t("enterprise.add")}
      initial={newEnterprise(parentId)}
      touches={["cpe", "pop", "netSpace", "auth"]}
      onClose={onClose}
    >
      <Field name="name" />
      <Field
        name="parentId"
        help={t("enterprise.parentHelp")}
        disabled={isFixed && t("enterprise.mayNotMove")}
      >
        {({ id, value, set, isWrong, disabled }) => (
          <ParentSelect
            id={id}
            value={value as number | null}
            onChange={set}
            without={row?.groupid ?? null}
            disabled={Boolean(disabled)}
            isWrong={isWrong}
            placeholder={t("enterprise.topmost")}
          />
        )}
      </Field>
      <Field
        name="enterpriseType"
        kind="radio"
        options={codeOptions(t, "enterpriseType", enterpriseTypes)}
      />
      <Field
        name="passwordPolicy"
        kind="radio"
        options={codeOptions(t, "passwordPolicy", passwordPolicies)}
        help={t("enterprise.policyHelp")}
      />
      <Field name="isAgent" help={t("enterprise.agentHelp")} />
      <FieldGroup title={t("enterprise.place")}>
        <FieldRow>
          <Field name="provice" />
          <Field name="city" />
        </FieldRow>
        <Field name="region" />
      </FieldGroup>
      <FieldGroup title={t("enterprise.contactGroup")}>
        <FieldRow>
          <Field name="contact" />
          <Field name="phone" />
        </FieldRow>
        <Field name="email" />
      </FieldGroup>
      <Field name="remark" />
    </ResourceForm>
  );
}
