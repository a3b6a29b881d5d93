/** Both languages of a text in one line: [zh_cn, en_gb]. A missing one is a type error. */
export type Message = readonly [zh: string, en: string];
export type Messages = Readonly<Record<string, Message>>;

/** Section 1: Chinese by default, English beside it. */
export const languages = ["zh_cn", "en_gb"] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage: Language = "zh_cn";

export const isLanguage = (value: unknown): value is Language =>
  typeof value === "string" && (languages as readonly string[]).includes(value);

/**
 * Declares texts. Placeholders are written `{name}`; where English has a singular,
 * `{name|device|devices}` gives "1 device" and "2 devices".
 */
export const defineMessages = <const M extends Messages>(messages: M): M => messages;

const placeholder = /\{(\w+)(?:\|([^|}]+)\|([^|}]+))?\}/g;

/** Names of the placeholders of a text, in their order. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, name = ""]) => name);

/** Fills the placeholders of a text; an unknown placeholder stays visible. */
export const formatMessage = (
  message: Message,
  language: Language,
  params: Readonly<Record<string, string | number>> = {},
): string =>
  message[language === "zh_cn" ? 0 : 1].replace(
    placeholder,
    (whole, name: string, one?: string, many?: string) => {
      if (!(name in params)) return whole;
      const value = String(params[name]);
      if (many === undefined) return value;
      return `${value} ${value === "1" ? one : many}`;
    },
  );

type Joined<Sets> = Sets extends readonly [infer First, ...infer Rest]
  ? First & Joined<Rest>
  : unknown;

/**
 * Sets of texts as one.
 * @throws Error when two of them have a text for the same key: one would silently win
 */
export function joinMessages<const Sets extends readonly Readonly<Record<string, Message>>[]>(
  ...sets: Sets
): Joined<Sets> {
  const all: Record<string, Message> = {};
  for (const [key, text] of sets.flatMap((set) => Object.entries(set))) {
    if (Object.hasOwn(all, key)) throw new Error(`two texts for ${key}`);
    all[key] = text;
  }
  return all as Joined<Sets>;
}
