import { defaultLanguage, isLanguage, type Language } from "@weft/contract/kernel/message.ts";
import { useSyncExternalStore } from "react";

/** Where the choice is remembered (specification section 9). */
export const languageKey = "lang";

const remembered = (): Language => {
  try {
    const value = localStorage.getItem(languageKey);
    return isLanguage(value) ? value : defaultLanguage;
  } catch {
    // A browser that forbids storage still shows the console.
    return defaultLanguage;
  }
};

let current: Language = remembered();
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

/** BCP 47 tag of a language: for `lang` of the page and for what calls say. */
export const languageTag = (language: Language): string =>
  language === "zh_cn" ? "zh-CN" : "en-GB";

/** The language in use. */
export const useCurrentLanguage = (): Language =>
  useSyncExternalStore(onLanguage, currentLanguage, currentLanguage);
