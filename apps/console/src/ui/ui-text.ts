import {
  defaultLanguage,
  defineMessages,
  formatMessage,
  type Language,
} from "@weft/contract/kernel/message.ts";
import { createContext, useContext } from "react";

/** The few texts that parts have themselves; everything else is passed to them. */
const texts = defineMessages({
  copy: ["复制", "Copy"],
  copied: ["已复制", "Copied"],
  justNow: ["刚刚", "just now"],
  minutes: ["{n} 分钟前", "{n} min ago"],
  hours: ["{n} 小时前", "{n} h ago"],
  days: ["{n} 天前", "{n} d ago"],
});
export type UiText = keyof typeof texts;

export const LanguageContext = createContext<Language>(defaultLanguage);

export const useLanguage = (): Language => useContext(LanguageContext);

/** A text of the parts in a language. */
export const uiText = (key: UiText, language: Language, params?: Record<string, number>): string =>
  formatMessage(texts[key], language, params);
