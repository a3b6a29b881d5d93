import {
  defaultLanguage,
  defineMessages,
  formatMessage,
  type Language,
} from "@weft/contract/kernel/message.ts";
import { createContext, useContext } from "react";

/** The few words that parts say themselves; everything else is handed to them. */
const words = defineMessages({
  copy: ["复制", "Copy"],
  copied: ["已复制", "Copied"],
  justNow: ["刚刚", "just now"],
  minutes: ["{n} 分钟前", "{n} min ago"],
  hours: ["{n} 小时前", "{n} h ago"],
  days: ["{n} 天前", "{n} d ago"],
});
export type UiWord = keyof typeof words;

export const LanguageContext = createContext<Language>(defaultLanguage);

export const useLanguage = (): Language => useContext(LanguageContext);

/** A word of the parts in a language. */
export const uiWord = (key: UiWord, language: Language, params?: Record<string, number>): string =>
  formatMessage(words[key], language, params);
