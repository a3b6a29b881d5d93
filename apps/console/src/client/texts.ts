import {
  formatMessage,
  type Language,
  type Message,
  type Messages,
} from "@weft/contract/kernel/message.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import type { ContractMessageKey } from "@weft/contract/messages.ts";
import { useMemo } from "react";
import { currentLanguage, useCurrentLanguage } from "./language.ts";
import { type KernelMessageKey, kernelMessages } from "./messages.ts";

/** Every text that some screen has brought so far: all features share one space of keys. */
const texts = new Map<string, Message>();
const known = new WeakSet<Messages>();

/** Makes texts available; each set once. Screens do it by `useTexts`. */
export const registerMessages = (messages: Messages): void => {
  if (known.has(messages)) return;
  known.add(messages);
  for (const [key, message] of Object.entries(messages)) texts.set(key, message);
};
registerMessages(kernelMessages);

type KeyOf<Set> = Set extends Messages ? keyof Set & string : never;
export type CommonKey = ContractMessageKey | KernelMessageKey;
export type Params = Readonly<Record<string, string | number>>;

/** Says texts in the reader's language. */
export interface Translate<Key extends string = never> {
  (key: Key | CommonKey, params?: Params): string;
  /** Text of a code: `enum.<list>.<value>`, booleans as 1 and 0; a dash for null. */
  code(list: string, value: string | number | boolean | null): string;
  /** What a field of the contract is called. */
  field(name: string): string;
  /** What a broken rule says. */
  issue(issue: RuleIssue): string;
  /** Names one after the other. */
  list(names: readonly string[]): string;
  readonly language: Language;
}

/** All registered texts in one language. */
export const textsIn = (language: Language): Translate<string> => {
  // An unregistered key shows as itself: the crawl over all screens finds it.
  const text = (key: string, params: Params = {}): string =>
    formatMessage(texts.get(key) ?? [key, key], language, params);
  return Object.assign(text, {
    code: (list: string, value: string | number | boolean | null): string =>
      value === null
        ? text("missing")
        : text(`enum.${list}.${typeof value === "boolean" ? Number(value) : value}`),
    field: (name: string): string => text(`field.${name}`),
    issue: ({ rule, params }: RuleIssue): string => text(`rule.${rule}`, params),
    list: (names: readonly string[]): string => names.join(language === "zh_cn" ? "、" : ", "),
    language,
  });
};

/** The texts of a feature besides the common ones; rerenders when the language changes. */
export const useTexts = <const Sets extends readonly Messages[]>(
  ...sets: Sets
): Translate<KeyOf<Sets[number]>> => {
  for (const set of sets) registerMessages(set);
  const language = useCurrentLanguage();
  return useMemo(() => textsIn(language), [language]);
};

/** The common texts, for code outside of React. */
export const commonTexts = (): Translate => textsIn(currentLanguage());

/** Choices out of a list of codes: `enum.<list>.<code>`. */
export const codeOptions = <Code extends string | number | boolean>(
  t: Pick<Translate, "code">,
  list: string,
  codes: readonly Code[],
): { readonly value: Code; readonly label: string }[] =>
  codes.map((value) => ({ value, label: t.code(list, value) }));
