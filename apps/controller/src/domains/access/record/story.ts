/** What a row of the operation log says to people: one sentence, and each change as text. */
import {
  actionPart,
  moreFields,
  noChange,
  objectOf,
  oneChange,
  otherAction,
  recordActionOf,
  recordActors,
  someChanges,
  switchedOff,
  switchedOn,
} from "@weft/contract/domains/access/record-actions.ts";
import {
  formatMessage,
  type Language,
  type Message,
  placeholdersOf,
} from "@weft/contract/kernel/message.ts";
import type { Names } from "./references.ts";
import type { Difference } from "./rules.ts";
import { fieldIn, inSentence, type Pair, shown } from "./value-texts.ts";

type Values = Readonly<Record<string, unknown>>;

export interface Entry {
  /** Whether a program wrote it: a person may be called as one. */
  readonly isByProgram: boolean;
  readonly loginName: string;
  readonly module: string;
  /** Id of the call. */
  readonly action: string;
  /** What it is about, without its place. */
  readonly object: Pair;
  /** Device, template or enterprise that the object belongs to; empty: none. */
  readonly place: string;
  /** All that the call recorded, the new values before the old. */
  readonly recorded: Values;
  readonly changes: readonly Difference[];
}

/** Fields with the parent of a row, which the sentence already names. */
const placeFields = new Set([
  "nodeId",
  "nCpeID",
  "cpeId",
  "popId",
  "node_id",
  "templateId",
  "enterprise_id",
  "groupid",
]);
/** Changes that a sentence has room for by their fields. */
const maxFields = 3;
/** Characters of a value that a sentence has room for. */
const maxValue = 40;

const short = (text: string): string =>
  text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;

const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);
const isLatin = (text: string): boolean => /[\dA-Za-z]/.test(text);

/**
 * Fills the placeholders of a sentence. Between Chinese characters and Latin letters or digits comes
 * a space, which a text cannot have before it is known what fills it.
 */
export function sentence(
  message: Message,
  language: Language,
  params: Readonly<Record<string, string>>,
): string {
  const text = message[language === "zh_cn" ? 0 : 1];
  return text.replace(/\{(\w+)\}/g, (found: string, name: string, at: number) => {
    const value = params[name];
    if (value === undefined) return found;
    const [before, after] = [text.charAt(at - 1), text.charAt(at + found.length)];
    const lead = isHan(before) && isLatin(value.charAt(0)) ? " " : "";
    return `${lead}${value}${isHan(after) && isLatin(value.slice(-1)) ? " " : ""}`;
  });
}

const isSwitch = (changes: readonly Difference[]): boolean =>
  changes.length === 1 &&
  (changes[0]?.field === "enable" || changes[0]?.field === "enabled") &&
  typeof changes[0].new === "boolean";

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

/** The sentence of an edit: what changed, as far as there is room. */
function editText(
  entry: Entry,
  names: Names,
  language: Language,
): [Message, Record<string, string>] {
  const changes = entry.changes.filter(({ field }) => !placeFields.has(field));
  const [first] = changes;
  if (!first) return [noChange, {}];
  if (changes.length === 1 && isPlain(first.old) && isPlain(first.new)) {
    const textOf = (value: unknown): string =>
      short(shown({ module: entry.module, field: first.field, value }, names, language));
    const field = inSentence(fieldIn(first.field, language));
    return [oneChange, { field, old: textOf(first.old), new: textOf(first.new) }];
  }
  const all = [...new Set(changes.map(({ field }) => inSentence(fieldIn(field, language))))];
  const some = all.slice(0, maxFields).join(language === "zh_cn" ? "、" : ", ");
  const left = all.length - maxFields;
  if (left <= 0) return [someChanges, { fields: some }];
  const count = String(language === "zh_cn" ? all.length : left);
  return [someChanges, { fields: sentence(moreFields, language, { fields: some, count }) }];
}

/** Calls whose sentence is what they changed. */
const plainEdits = new Set(["edit", "update", "driftPolicy"]);

/** The sentence of a call with what it recorded by name: {version}. */
function callText(
  entry: Entry,
  names: Names,
  language: Language,
): [Message, Record<string, string>] {
  const text = recordActionOf(entry.action)?.text ?? otherAction;
  const fields = placeholdersOf(text[0]).filter((field) => Object.hasOwn(entry.recorded, field));
  const { module, recorded } = entry;
  const values = fields.map(
    (field) => [field, shown({ module, field, value: recorded[field] }, names, language)] as const,
  );
  return [text, Object.fromEntries(values)];
}

function storyIn(entry: Entry, names: Names, language: Language): string {
  const object = entry.object[language === "zh_cn" ? 0 : 1];
  const isActor = entry.isByProgram && Object.hasOwn(recordActors, entry.loginName);
  const actor = isActor ? recordActors[entry.loginName] : null;
  const base = {
    who: actor ? formatMessage(actor, language) : entry.loginName,
    object:
      entry.place === "" ? object : sentence(objectOf, language, { place: entry.place, object }),
    place: entry.place === "" ? object : entry.place,
  };
  const kind = recordActionOf(entry.action)?.kind;
  if (isSwitch(entry.changes) && (kind === "switch" || kind === "edit")) {
    return sentence(entry.changes[0]?.new ? switchedOn : switchedOff, language, base);
  }
  const [message, values] = plainEdits.has(actionPart(entry.action))
    ? editText(entry, names, language)
    : callText(entry, names, language);
  return sentence(message, language, { ...values, ...base });
}

/** One sentence in both languages: who did what to which object. */
export const storyOf = (entry: Entry, names: Names): Pair => [
  storyIn(entry, names, "zh_cn"),
  storyIn(entry, names, "en_gb"),
];
