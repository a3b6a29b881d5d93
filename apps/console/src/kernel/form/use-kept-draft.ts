import { useEffect, useRef, useState } from "react";
import { draftKey, keepDraft, takeDraft } from "#client/kept-drafts.ts";
import { currentSession, onSessionEnd } from "#client/session-state.ts";
import { shapeOf } from "./field-schema.ts";
import type { Draft } from "./use-draft.ts";

/**
 * Keeps what is unsaved in a form when the session ends, and puts it back once the same person has logged in again.
 * @returns true: the form holds what was kept
 */
export function useKeptDraft(form: Draft): boolean {
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
