import type { Language } from "@weft/contract/kernel/message.ts";
import { useSyncExternalStore } from "react";
import { keptLanguage, languageKey } from "./kept-language.ts";

let current: Language = keptLanguage();
const listeners = new Set<() => void>();

/** The language in use; for code outside of React. */
export const currentLanguage = (): Language => current;

/** Reports each change; returns how to stop. */
export const onLanguage = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Chooses a language and remembers it. */
export const chooseLanguage = (language: Language): void => {
  current = language;
  try {
    localStorage.setItem(languageKey, language);
  } catch {
    // Not stored, but still selected.
  }
  for (const listener of listeners) listener();
};

/** The language in use. */
export const useCurrentLanguage = (): Language =>
  useSyncExternalStore(onLanguage, currentLanguage, currentLanguage);
