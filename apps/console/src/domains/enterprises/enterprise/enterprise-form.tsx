import { enterpriseTypes, passwordPolicies } from "@weft/contract/domains/access/enums.ts";
import {
  enterprise,
  enterpriseEditDraft,
  enterpriseSetters,
  enterpriseTreeList,
  placeOf,
} from "@weft/contract/domains/enterprises/enterprise.ts";
import { businessTypes } from "@weft/contract/domains/enterprises/enums.ts";
import { passwordFields } from "@weft/contract/kernel/field-setters.ts";
import TreeSelect from "antd/es/tree-select";
import { useMay, useSession } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Field, FieldGroup, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { MoneyInput } from "#parts/fields/money-input.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { RegionPicker } from "#parts/fields/region-picker.tsx";
import {
  type EnterpriseDraft,
  type EnterpriseRow,
  useEnterpriseTexts,
} from "./enterprise-texts.ts";
import { treeOptions } from "./lineage.ts";

interface ParentSelectProps {
  readonly id: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  /** The enterprise being edited: it cannot be below itself. */
  readonly without: number | null;
  readonly disabled: boolean;
  readonly isWrong: boolean;
  readonly placeholder: string;
}

/** Chooses where in the tree an enterprise is. */
function ParentSelect(props: ParentSelectProps) {
  const tree = useCall(enterpriseTreeList, { isAgent: null, enterpriseType: null });
  return (
    <TreeSelect
      id={props.id}
      {...(props.value !== null && { value: props.value })}
      onChange={(value: number | undefined) => props.onChange(value ?? null)}
      treeData={treeOptions(tree.data ?? [], props.without)}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: "title" }}
      allowClear
      disabled={props.disabled}
      loading={tree.isFirstLoad}
      placeholder={props.placeholder}
      {...(props.isWrong && { status: "error" as const })}
    />
  );
}

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: EnterpriseRow | null;
  /** Parent of a new one unless another is selected. */
  readonly parentId: number;
  readonly onClose: () => void;
}

const newEnterprise = (parentId: number): EnterpriseDraft => ({
  name: "",
  enterpriseType: 0,
  parentId,
  isAgent: false,
  regions: [],
  provice: "",
  city: "",
  region: "",
  contact: "",
  phone: null,
  email: null,
  passwordPolicy: "spec",
  businessType: null,
  endTime: null,
  cpeLimit: null,
  accountLimit: null,
  creditLimit: 0,
  remark: "",
});

const guarded = passwordFields(enterpriseSetters);

/** The place is sent joined and in its parts (section 3). */
const withPlace = (draft: EnterpriseDraft): EnterpriseDraft => ({
  ...draft,
  ...placeOf(draft.regions ?? []),
});

/** The one form of an enterprise, for adding and editing. */
export function EnterpriseForm({ open, row, parentId, onClose }: Props) {
  const t = useEnterpriseTexts();
  const may = useMay();
  const session = useSession();
  // Moving an enterprise changes who may see it, and needs a permission of its own.
  const isOwn = row !== null && !row.fromAbove;
  const fromAbove = isOwn && t("enterprise.fromAbove");
  const needsMfa = row?.passwordPolicy === "8+MFA" && !session.hasMfa;
  const policyFixed = fromAbove || (needsMfa && t("enterprise.needsMfa"));
  const isFixed = row !== null && !may("enterpriseEditParent");
  return (
    <ResourceForm
      resource={enterprise}
      open={open}
      row={row}
      title={row ? t("enterprise.editOf", { name: row.name }) : t("enterprise.add")}
      initial={{ ...newEnterprise(parentId), ...(row !== null && { oldPsw: null }) }}
      width={720}
      send={withPlace}
      touches={["cpe", "pop", "netSpace", "auth", "dashboard"]}
      onClose={onClose}
      {...(row !== null && { draft: enterpriseEditDraft })}
    >
      <Field name="name" />
      <Field
        name="parentId"
        help={t("enterprise.parentHelp")}
        disabled={fromAbove || (isFixed && t("enterprise.mayNotMove"))}
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
      <FieldRow>
        <Field
          name="enterpriseType"
          kind="radio"
          options={codeOptions(t, "enterpriseType", enterpriseTypes)}
          disabled={fromAbove}
        />
        <Field
          name="businessType"
          kind="select"
          options={codeOptions(t, "businessType", businessTypes)}
          disabled={fromAbove}
        />
      </FieldRow>
      <Field
        name="passwordPolicy"
        kind="radio"
        options={codeOptions(t, "passwordPolicy", passwordPolicies)}
        help={t("enterprise.policyHelp")}
        disabled={policyFixed}
      />
      <Field name="isAgent" help={t("enterprise.agentHelp")} disabled={fromAbove} />
      <Field name="regions" help={t("enterprise.placeHelp")}>
        {(control) => <RegionPicker control={control} placeholder={t("enterprise.placeChoose")} />}
      </Field>
      <FieldGroup title={t("enterprise.contactGroup")}>
        <FieldRow>
          <Field name="contact" />
          <Field name="phone" />
        </FieldRow>
        <Field name="email" />
      </FieldGroup>
      <Contract row={row} />
      <Field name="remark" />
      {row !== null && <OwnPassword row={row} fields={guarded} />}
    </ResourceForm>
  );
}

/** The terms of its contract: each part for those with permission. */
function Contract({ row }: { readonly row: EnterpriseRow | null }) {
  const t = useEnterpriseTexts();
  const may = useMay();
  const [maySeeEnd, maySeeLimits] = [may("enterpriseEndTime"), may("enterpriseBillingPerm")];
  if (!maySeeEnd && !maySeeLimits) return null;
  // Users cannot extend the contract or raise the limits of their own enterprise.
  const fixed = row !== null && !row.fromAbove && t("enterprise.ownContract");
  const limitHelp = (used: number | null | undefined) =>
    used == null ? t("enterprise.limitHelp") : t("enterprise.limitUsed", { used });
  return (
    <FieldGroup title={t("enterprise.contract")}>
      {maySeeEnd && (
        <Field
          name="endTime"
          label={t("enterprise.ending")}
          help={t("enterprise.endHelp")}
          disabled={fixed}
        />
      )}
      {maySeeLimits && (
        <>
          <Field name="creditLimit" help={t("enterprise.creditLimitHelp")} disabled={fixed}>
            {(control) => <MoneyInput control={control} />}
          </Field>
          <FieldRow>
            <Field
              name="cpeLimit"
              placeholder={t("enterprise.noLimit")}
              help={limitHelp(row?.cpeUse)}
              disabled={fixed}
            />
            <Field
              name="accountLimit"
              placeholder={t("enterprise.noLimit")}
              help={limitHelp(row?.accountUse)}
              disabled={fixed}
            />
          </FieldRow>
        </>
      )}
    </FieldGroup>
  );
}
