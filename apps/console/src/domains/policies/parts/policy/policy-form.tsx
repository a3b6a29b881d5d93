import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { useMemo } from "react";
import { useTexts } from "#client/texts.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { FieldGroup, When } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import type { PolicyOwner } from "./choices.ts";
import {
  applies,
  type FieldsTogether,
  formPlan,
  isDependent,
  onlyApplying,
  startOf,
  startsOfKind,
} from "./form-plan.ts";
import { policyMessages } from "./messages.ts";
import { PolicyField } from "./policy-field.tsx";

interface Props {
  readonly family: PolicyFamily;
  /** Of the owner's scope. */
  readonly resource: AnyResource;
  readonly owner: PolicyOwner;
  /** Rows of one kind only. */
  readonly kind: string | undefined;
  readonly open: boolean;
  /** null: a new one. */
  readonly row: object | null;
  readonly title: string;
  readonly touches: readonly string[];
  readonly onClose: () => void;
}

const initialOf = ({ family, owner, kind }: Props) => ({
  ...Object.fromEntries(
    Object.keys(family.spec.fields.shape).map((field) => [field, startOf(family, field)]),
  ),
  ...owner,
  ...startsOfKind(kind),
});

/** The drawer of one policy object: only fields that mean something beside the others. */
export function PolicyForm(props: Props) {
  const { family, owner } = props;
  const send = useMemo(() => (draft: object) => onlyApplying(family, draft as never), [family]);
  return (
    <ResourceForm
      resource={props.resource}
      open={props.open}
      row={props.row as never}
      title={props.title}
      initial={initialOf(props) as never}
      touches={props.touches}
      send={send as never}
      onClose={props.onClose}
    >
      <Fields family={family} owner={owner} row={props.row} />
    </ResourceForm>
  );
}

function Fields({ family, owner, row }: Pick<Props, "family" | "owner" | "row">) {
  const t = useTexts(policyMessages);
  const draft = useDraftValues<Record<string, unknown>>();
  const { first, together, last } = formPlan(family);
  const shown = (fields: readonly string[]) =>
    fields.filter((field) => applies(family, field, draft));
  const field = (name: string) => {
    const one = <PolicyField key={name} family={family} name={name} owner={owner} row={row} />;
    return isDependent(family, name) ? <When key={name}>{one}</When> : one;
  };
  const group = ({ title, fields }: FieldsTogether) => {
    const present = shown(fields);
    if (present.length === 0) return null;
    return (
      <FieldGroup key={title} title={t(title)}>
        {present.map(field)}
      </FieldGroup>
    );
  };
  return (
    <>
      {shown(first).map(field)}
      {together.map(group)}
      {last.map(field)}
    </>
  );
}
