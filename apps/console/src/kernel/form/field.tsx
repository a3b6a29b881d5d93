import { type ReactNode, useEffect, useId } from "react";
import { useTexts } from "#client/texts.ts";
import { SavedOnly } from "#feedback/saved-only.tsx";
import { controls } from "./controls.tsx";
import type { ControlState, FieldProps } from "./field-props.ts";
import { isNullable, isRequired, kindOf, shapeOf } from "./field-schema.ts";
import { useDraftContext } from "./use-draft.ts";

/** What an own control of a field gets. */
export type FieldControl<Value = unknown> = ControlState<Value>;

/** One field: label, control, then its help or its mistake. */
export function Field(props: FieldProps) {
  const { name, label, help, disabled = false, children } = props;
  const form = useDraftContext();
  const t = useTexts();
  const id = useId();
  useEffect(() => void form.fields.set(name, props));
  const schema = shapeOf(form.schema)[name];
  if (!schema) throw new Error(`the draft has no field ${name}`);
  const kind = props.kind ?? kindOf(name, schema);
  const issue = form.issueOf(name);
  const Control = typeof kind === "string" ? controls[kind] : kind;
  const isRow = kind === "switch" && !children;
  const control: ControlState = {
    id,
    value: form.values[name],
    set: (value) => form.set(name, value),
    leave: () => form.leave(name),
    isWrong: issue !== null,
    disabled: disabled !== false,
    describedBy: `${id}-more`,
    labelledBy: `${id}-label`,
  };
  const missing = issue?.rule === "required" ? props.missing : undefined;
  const more = issue ? (missing ?? t.issue(issue)) : disabled || help;
  return (
    <div className="w-field" data-wrong={issue !== null || undefined} data-row={isRow || undefined}>
      <label className="w-field-label" htmlFor={id}>
        <span id={control.labelledBy}>{label ?? t.field(name)}</span>
        {kind !== "switch" && (props.required || isRequired(schema)) && (
          <span className="w-field-star" title={t("form.required")}>
            *
          </span>
        )}
      </label>
      {children ? (
        children(control)
      ) : (
        <Control control={control} isNullable={isNullable(schema)} field={props} />
      )}
      <div
        id={control.describedBy}
        className={issue ? "w-field-issue" : "w-field-help"}
        {...(issue && { role: "alert" })}
      >
        {more}
        {!issue && <SavedOnly about={form.about} name={name} value={control.value} />}
      </div>
    </div>
  );
}

interface RowProps {
  /** About both: in the width of the form, where two narrow columns of it would be long. */
  readonly help?: string;
  readonly children: ReactNode;
}

/** Two fields side by side; one under the other on a narrow screen. */
export function FieldRow({ help, children }: RowProps) {
  const id = useId();
  if (help === undefined) return <div className="w-field-row">{children}</div>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and these two have none
    <div role="group" aria-describedby={id}>
      <div className="w-field-row">{children}</div>
      <div id={id} className="w-field-help w-row-help">
        {help}
      </div>
    </div>
  );
}

/** Fields that belong together, with a title. */
export function FieldGroup(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="w-field-group">
      <legend>{props.title}</legend>
      {props.children}
    </fieldset>
  );
}

/** Fields that open below the one they depend on. */
export function When({ children }: { readonly children: ReactNode }) {
  return <div className="w-field-when">{children}</div>;
}
