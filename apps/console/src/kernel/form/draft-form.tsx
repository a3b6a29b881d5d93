import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { CallError } from "#client/call.ts";
import { draftKey, keepDraft, takeDraft } from "#client/kept-drafts.ts";
import { currentSession, onSessionEnd } from "#client/session-state.ts";
import { useTexts } from "#client/texts.ts";
import { ErrorText } from "#feedback/error-text.tsx";
import { useToast } from "#feedback/toast.tsx";
import { StateText, StatusGlyph } from "#ui/glyph.tsx";
import { shapeOf } from "./field-schema.ts";
import { type Draft, DraftContext, type DraftSchema, useDraftContext } from "./use-draft.ts";

/**
 * Keeps what is unsaved in a form when the session ends, and puts it back once the same person has logged in again.
 * @returns true: the form holds what was kept
 */
function useKeptDraft(form: Draft): boolean {
  const [isRestored, setRestored] = useState(false);
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    const userId = currentSession()?.userId;
    if (userId === undefined) return undefined;
    const keyOf = () => draftKey(Object.keys(shapeOf(latest.current.schema)));
    const key = keyOf();
    const kept = key === null ? null : takeDraft(key, userId);
    if (kept) {
      for (const [name, value] of Object.entries(kept)) latest.current.set(name, value);
      setRestored(true);
    }
    return onSessionEnd(() => {
      const { changed, values } = latest.current;
      const now = keyOf();
      const unsaved = Object.fromEntries(changed.map((name) => [name, values[name]]));
      if (now !== null) keepDraft(now, userId, unsaved);
    });
  }, []);
  return isRestored;
}

interface Props<Schema extends DraftSchema> {
  readonly form: Draft<Schema>;
  /** Resource, or "cpeConfig", whose fields these are: those that do not act yet say so. */
  readonly about?: string | undefined;
  /** For a button outside of the form. */
  readonly id?: string;
  /** Called with values that keep every rule; a CallError that it throws lands on the fields. */
  onSubmit(values: z.output<Schema>): Promise<void> | void;
  readonly children: ReactNode;
}

/** The first field with a mistake, in the order of the screen. */
const focusFirst = (root: HTMLElement | null): void => {
  const field = root?.querySelector<HTMLElement>("[data-wrong]");
  field?.querySelector<HTMLElement>("input, textarea, button, [tabindex]")?.focus();
  field?.scrollIntoView({ block: "nearest" });
};

/** A form around fields: checks all before it sends, and goes to the first mistake. */
export function DraftForm<Schema extends DraftSchema>(props: Props<Schema>) {
  const { form, id, about, onSubmit, children } = props;
  const t = useTexts();
  const toast = useToast();
  const root = useRef<HTMLFormElement>(null);
  const wantsFocus = useRef(false);
  const [isSending, setSending] = useState(false);
  const isRestored = useKeptDraft(form as unknown as Draft);
  useEffect(() => {
    // After the rendering that shows the mistakes.
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    focusFirst(root.current);
  });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // A dialog inside a drawer is its child for events, but no part of this form.
    event.stopPropagation();
    const values = form.check();
    wantsFocus.current = values === null;
    if (values === null) return;
    setSending(true);
    try {
      await onSubmit(values);
    } catch (error) {
      if (!(error instanceof CallError)) return toast.failed(error);
      wantsFocus.current = true;
      form.refuse(error);
    } finally {
      setSending(false);
    }
  };
  return (
    <DraftContext value={{ ...(form as unknown as Draft), isSending, about }}>
      <form
        ref={root}
        {...(id !== undefined && { id })}
        className="w-form"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {isRestored && (
          <output>
            <StateText glyph="run" label={t("form.restored")} />
          </output>
        )}
        {children}
        <Failure form={form as unknown as Draft} />
      </form>
    </DraftContext>
  );
}

const isPlaced = (issue: RuleIssue, form: Draft): boolean =>
  (issue.path.split(".")[0] ?? "") in form.values;

/** What the server reported that belongs to no field of the form. */
function Failure({ form }: { readonly form: Draft }) {
  const t = useTexts();
  const { failure } = form;
  if (!failure) return null;
  const lost = failure.issues.filter((issue) => !isPlaced(issue, form));
  if (failure.issues.length > 0 && lost.length === 0) return null;
  const sentences = lost.map(
    (issue) => `${issue.path && `${t.field(issue.path)}: `}${t.issue(issue)}`,
  );
  return (
    <div className="w-form-failure" role="alert">
      <StatusGlyph glyph="bad" />
      <ErrorText error={failure} {...(sentences.length > 0 && { text: sentences.join("; ") })} />
    </div>
  );
}

/** What the form around holds right now: for fields that depend on others. */
export const useDraftValues = <Values extends object>(): Values =>
  useDraftContext().values as Values;
