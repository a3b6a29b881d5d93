/** Without React: the page reads it before its first script is there (early.ts). */
import { defaultLanguage, isLanguage, type Language } from "@weft/contract/kernel/message.ts";

/** Where the choice is remembered (specification section 9). */
export const languageKey = "lang";

/** The language that this browser remembers. */
export const keptLanguage = (): Language => {
  try {
    const value = localStorage.getItem(languageKey);
    return isLanguage(value) ? value : defaultLanguage;
  } catch {
    // A browser that forbids storage still shows the console.
    return defaultLanguage;
  }
};

/** BCP 47 tag of a language: for `lang` of the page and for what calls say. */
export const languageTag = (language: Language): string =>
  language === "zh_cn" ? "zh-CN" : "en-GB";
