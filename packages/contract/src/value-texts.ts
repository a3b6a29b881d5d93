/** What people read of a stored value: in the operation log, and where two edits meet. */
import { defineMessages, formatMessage, type Language } from "#kernel/message.ts";
import { grantText, isGrant } from "./grants.ts";
import { findMessage } from "./messages.ts";

const texts = defineMessages({
  nothing: ["（空）", "(empty)"],
  redacted: ["（已隐藏）", "(hidden)"],
});

/** What a field is called. Some rows are recorded by their columns: enterprise_id. */
export const fieldText = (field: string, language: Language): string => {
  const camel = field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const message = findMessage(`field.${field}`) ?? findMessage(`field.${camel}`);
  return message ? formatMessage(message, language) : field;
};

const permissionText = (code: string, language: Language): string =>
  isGrant(code) ? formatMessage(grantText(code), language) : code;

/** The operation log holds moments as ISO text. */
const isoText = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const timeText = (iso: string): string => `${iso.slice(0, 19).replace("T", " ")} UTC`;

/** One value as people read it: codes, flags and permissions by their labels. */
export const valueText = (field: string, value: unknown, language: Language): string => {
  if (value === undefined || value === null || value === "") {
    return formatMessage(texts.nothing, language);
  }
  if (value === "[redacted]") return formatMessage(texts.redacted, language);
  if (Array.isArray(value)) {
    const shown = value.map((item) => valueText(field, item, language));
    return shown.join(", ") || formatMessage(texts.nothing, language);
  }
  if (value instanceof Date) return timeText(value.toISOString());
  if (typeof value === "string" && isoText.test(value)) return timeText(value);
  if (typeof value === "object") return JSON.stringify(value);
  if (field === "authorities") return permissionText(String(value), language);
  const isFlag = typeof value === "boolean";
  const list = isFlag ? (field === "enable" ? "enable" : "flag") : field;
  const text = findMessage(`enum.${list}.${isFlag ? Number(value) : value}`);
  return text ? formatMessage(text, language) : String(value);
};
