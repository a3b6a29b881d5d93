import type { Language, Message, Messages } from "@weft/contract/kernel/message.ts";
import { languages } from "@weft/contract/kernel/message.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { type ContractMessageKey, contractMessages } from "@weft/contract/messages.ts";
import i18next from "i18next";
import { useMemo } from "react";
import { initReactI18next, useTranslation } from "react-i18next";
import { currentLanguage, onLanguage } from "./language.ts";
import { type KernelMessageKey, kernelMessages } from "./messages.ts";

const NAMESPACE = "weft";

const engine = i18next.createInstance();
// No back end, so the start is over when the call returns; the promise says nothing more.
void engine.use(initReactI18next).init({
  lng: currentLanguage(),
  load: "currentOnly",
  fallbackLng: false,
  ns: [NAMESPACE],
  defaultNS: NAMESPACE,
  // Keys have dots of their own: "cpe.add".
  keySeparator: false,
  nsSeparator: false,
  interpolation: { prefix: "{", suffix: "}", escapeValue: false },
  initAsync: false,
  resources: Object.fromEntries(languages.map((language) => [language, { [NAMESPACE]: {} }])),
});
onLanguage(() => void engine.changeLanguage(currentLanguage()));

const known = new WeakSet<Messages>();

/** Makes texts available; each set once. Screens do it by `useTexts`. */
const registerMessages = (messages: Messages): void => {
  if (known.has(messages)) return;
  known.add(messages);
  for (const [at, language] of languages.entries()) {
    const bundle = Object.fromEntries(
      Object.entries(messages).map(([key, message]: [string, Message]) => [key, message[at]]),
    );
    engine.addResourceBundle(language, NAMESPACE, bundle, false, true);
  }
};
registerMessages(contractMessages);
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
  readonly language: Language;
}

const translateIn = (language: Language): Translate<string> => {
  const translate = engine.getFixedT(language, NAMESPACE);
  const say = (key: string, params: Params = {}): string => translate(key, params);
  return Object.assign(say, {
    code: (list: string, value: string | number | boolean | null): string =>
      value === null
        ? say("missing")
        : say(`enum.${list}.${typeof value === "boolean" ? Number(value) : value}`),
    field: (name: string): string => say(`field.${name}`),
    issue: ({ rule, params }: RuleIssue): string => say(`rule.${rule}`, params),
    language,
  });
};

/** The texts of a feature besides the common ones; draws anew when the language changes. */
export const useTexts = <const Sets extends readonly Messages[]>(
  ...sets: Sets
): Translate<KeyOf<Sets[number]>> => {
  for (const set of sets) registerMessages(set);
  const { i18n } = useTranslation(NAMESPACE, { i18n: engine, useSuspense: false });
  const language = i18n.language as Language;
  return useMemo(() => translateIn(language), [language]);
};

/** The common texts, for code outside of React. */
export const commonTexts = (): Translate => translateIn(currentLanguage());
