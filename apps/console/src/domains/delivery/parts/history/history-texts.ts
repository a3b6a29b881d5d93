import type { ObjectDifference, StateCause } from "@weft/contract/domains/delivery/history.ts";
import { policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { findMessage } from "@weft/contract/messages.ts";
import { useTexts } from "#client/texts.ts";
import { historyMessages } from "./history-messages.ts";

export const useHistoryTexts = () => useTexts(historyMessages);
export type HistoryTexts = ReturnType<typeof useHistoryTexts>;

type Key = keyof typeof historyMessages;
const isKey = (key: string): key is Key => Object.hasOwn(historyMessages, key);

/** A text by a key out of the data; the key itself where we have none. */
const textOf = (key: string, otherwise: string, t: HistoryTexts, params = {}): string =>
  isKey(key) ? t(key, params) : otherwise;

const byText = ({ by }: StateCause, t: HistoryTexts): string => textOf(`history.by.${by}`, by, t);

/** "Added LAN section 10.1.1.1/24"; what has no text here reads as in the operation log. */
const causeText = ({ action, module, rowName, story }: StateCause, t: HistoryTexts): string => {
  const [text = "", verb = action] = action.includes(".") ? action.split(".") : [module, action];
  const resource = module || text;
  const hasWords = isKey(`history.action.${verb}`) && isKey(`history.module.${resource}`);
  if (!hasWords && story[0] !== "") return formatMessage(story, t.language);
  const kind = resource && textOf(`history.module.${resource}`, resource, t);
  const what = [kind, rowName].filter((part) => part !== "").join(" ");
  return textOf(`history.action.${verb}`, `${action} ${rowName}`.trim(), t, { what });
};

/** "admin: lansection.add" as text: "admin · Added LAN section". */
export const rawCauseText = (cause: string, t: HistoryTexts): string => {
  const at = cause.indexOf(": ");
  if (at < 0) return cause;
  const noRow = { module: "", rowId: null, rowName: "", story: ["", ""] as [string, string] };
  const one = { by: cause.slice(0, at), action: cause.slice(at + 2), ...noRow };
  return `${byText(one, t)} · ${causeText(one, t)}`;
};

/** The first cause and how many more there are, in one line. */
export const causesText = (causes: readonly StateCause[], t: HistoryTexts): string => {
  const texts = [...new Set(causes.map((cause) => causeText(cause, t)))];
  const [first = "", ...others] = texts;
  return others.length === 0 ? first : t("history.more", { first, count: others.length });
};

/** All who had a part in it, once each. */
export const authorsText = (causes: readonly StateCause[], t: HistoryTexts): string =>
  t.list([...new Set(causes.map((cause) => byText(cause, t)))]);

export const sectionText = (one: ObjectDifference, t: HistoryTexts): string => {
  const section = textOf(`difference.section.${one.section}`, one.section, t);
  if (one.spaceId === null) return section;
  const space = one.spaceName || t("difference.spaceNo", { id: one.spaceId });
  return t("difference.inSpace", { section, space });
};

/** "Link 12", "LAN lan1 10.1.1.0/24". */
export const objectText = ({ kind, key }: ObjectDifference, t: HistoryTexts): string => {
  const ofPolicy = policyTitle(kind)[t.language === "zh_cn" ? 0 : 1];
  const what = textOf(`difference.kind.${kind}`, ofPolicy, t);
  // Untagged is the rule: only a VLAN that there is needs saying.
  return `${what} ${kind === "lan" ? key.replace(/ 0(?= |$)/, "") : key}`.trim();
};

export const fieldText = (field: string, t: HistoryTexts): string => {
  const known = findMessage(`field.${field}`);
  return textOf(`difference.field.${field}`, known ? formatMessage(known, t.language) : field, t);
};

/** Fields of policy objects whose values are codes: the code's name, and whether it is a mask of bits. */
const codes: Readonly<Record<string, readonly [name: string, isMask?: boolean]>> = {
  accessType: ["accessType"],
  action: ["urlAction"],
  direction: ["pipeDirection"],
  dnsroute: ["dnsSwitch"],
  returnTrip: ["dnsSwitch"],
  weekdays: ["weekday"],
  effectivedate: ["weekday"],
  flags: ["ospfFlags", true],
  lineGroup: ["lineGroup", true],
  natType: ["natType", true],
};

const codeText = (value: number, field: string, t: HistoryTexts): string | null => {
  const [name, isMask = false] = codes[field] ?? [];
  if (name === undefined) return null;
  if (!isMask) return t.code(name, value);
  const bits = [1, 2, 4, 8].filter((bit) => (value & bit) !== 0);
  return bits.length === 0 ? "0" : t.list(bits.map((bit) => t.code(name, bit)));
};

/**
 * A value to read; null: there is none on this side.
 * @param field of a policy object: its codes have names
 */
export const valueText = (value: unknown, t: HistoryTexts, field = ""): string | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return codeText(value, field, t) ?? String(value);
  if (typeof value === "boolean") return t.code(field === "enable" ? "enable" : "flag", value);
  if (Array.isArray(value)) return value.map((one) => valueText(one, t, field) ?? "—").join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
