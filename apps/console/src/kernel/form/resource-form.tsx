import type { AnyResource, DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import { type ReactNode, useId, useRef, useState } from "react";
import type { z } from "zod";
import { useTexts } from "#client/texts.ts";
import { writeRow } from "#client/write-row.ts";
import { useTakesEffect } from "#feedback/device-capabilities.tsx";
import { SavedOnly } from "#feedback/saved-only.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { useLeaveGuard } from "#feedback/use-leave-guard.ts";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { DraftForm } from "./draft-form.tsx";
import { Field } from "./field.tsx";
import type { FieldProps } from "./field-props.ts";
import { type DraftSchema, useDraft } from "./use-draft.ts";

/** A field by its name alone, or with more to say. */
export type FieldSpec = string | FieldProps;

export interface ResourceFormProps<R extends AnyResource> {
  readonly resource: R;
  readonly open: boolean;
  /** null: a new one. */
  readonly row: RowOf<R> | null;
  readonly title: string;
  /** What a new one starts with. */
  readonly initial: Partial<DraftOf<R>>;
  /** 480 for up to 8 fields, 720 for pairs of them; px. */
  readonly width?: 480 | 720;
  readonly fields?: readonly FieldSpec[];
  /** Instead of `fields`: parts of form/field.tsx. */
  readonly children?: ReactNode;
  /** Turns what the form holds into what is checked and sent. Same function at every rendering. */
  readonly send?: (draft: DraftOf<R>) => DraftOf<R>;
  readonly onClose: () => void;
  /** With the answer of an add and what was sent; an edit has none. */
  readonly onSaved?: ((id: number, answer: object | null) => void) | undefined;
  /** What the toast says. */
  readonly saved?: string;
  /** Other resources whose rows change with this one. */
  readonly touches?: readonly string[];
  /** Where the calls of the resource take more than its draft. */
  readonly draft?: z.ZodObject;
}

/** Fields of the draft that the row has. */
const draftFrom = (schema: z.ZodObject, row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name in schema.shape));

/** The first field that can be filled, once the drawer has moved in: people type at once. What has the focus already keeps it. */
function focusFirst(form: HTMLElement | null): void {
  if (form === null || form.contains(document.activeElement)) return;
  form
    .querySelector<HTMLElement>(
      ".w-field :is(input, textarea, button):not(:disabled, [tabindex='-1'], [readonly])",
    )
    ?.focus();
}

/** The drawer in which a row is made or changed. */
export function ResourceForm<R extends AnyResource>(props: ResourceFormProps<R>) {
  const { resource, open, row, width = 480 } = props;
  const isNarrow = useNarrow();
  const t = useTexts();
  const id = useId();
  const [isSaving, setSaving] = useState(false);
  // Set by the body, which knows what would be lost.
  const requestClose = useRef(props.onClose);
  const rowId = row === null ? "add" : String((row as Record<string, unknown>)[resource.id]);
  return (
    <Drawer
      open={open}
      title={props.title}
      size={isNarrow ? "100%" : width}
      destroyOnHidden
      afterOpenChange={(isOpen) => isOpen && focusFirst(document.getElementById(id))}
      onClose={() => requestClose.current()}
      footer={
        <div className="w-drawer-foot">
          <Button onClick={() => requestClose.current()}>{t("act.cancel")}</Button>
          <Button type="primary" htmlType="submit" form={id} loading={isSaving}>
            {t("act.save")}
          </Button>
        </div>
      }
    >
      {open && (
        <Body key={rowId} {...props} id={id} requestClose={requestClose} setSaving={setSaving} />
      )}
    </Drawer>
  );
}

type BodyProps<R extends AnyResource> = ResourceFormProps<R> & {
  readonly id: string;
  readonly requestClose: { current: () => void };
  readonly setSaving: (isSaving: boolean) => void;
};

function Body<R extends AnyResource>(props: BodyProps<R>) {
  const { resource, row, initial, fields = [], children, onClose, onSaved } = props;
  const t = useTexts();
  const acts = useTakesEffect();
  const toast = useToast();
  const invalidate = useInvalidate();
  const schema = props.draft ?? (resource.draft as z.ZodObject);
  const start = row === null ? initial : { ...initial, ...draftFrom(schema, row) };
  const form = useDraft(schema as DraftSchema, start, props.send as never);
  const stale = useStaleRow(resource, row, start);
  const guard = useLeaveGuard(form.changed.map((name) => t.field(name)));
  props.requestClose.current = () => void guard.leave(onClose);
  const save = async (draft: object): Promise<void> => {
    props.setSaving(true);
    try {
      const saved = await stale.save(form, (version) => writeRow(props, { ...draft, ...version }));
      if (saved === null) return;
      const { id, answer, warnings } = saved;
      // A text of its own says what devices do with it.
      toast.done(acts(resource.name) ? props.saved : undefined);
      toast.warned(warnings);
      guard.release();
      invalidate(resource.name, ...(props.touches ?? []));
      onClose();
      onSaved?.(id, answer);
    } finally {
      props.setSaving(false);
    }
  };
  return (
    <DraftForm id={props.id} form={form} about={resource.name} onSubmit={save}>
      <SavedOnly about={resource.name} />
      {stale.panel(form)}
      {children ??
        fields.map((field) =>
          typeof field === "string" ? (
            <Field key={field} name={field} />
          ) : (
            <Field key={field.name} {...field} />
          ),
        )}
    </DraftForm>
  );
}
