/**
 * Texts that a device writes in English, made from templates, and that the console shows in the user's
 * language: they are in its log as well, and an older device or controller reads them as they are.
 */
import { formatMessage, type Language, type Message } from "#kernel/message.ts";

type Params = Readonly<Record<string, string | number>>;

const special = /[.*+?^${}()|[\]\\]/g;

/** Matches texts that were made from a template; its named groups are the parameters. */
const patternOf = (template: string): RegExp => {
  const escaped = template.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? part.replace(special, "\\$&") : `(?<${name}>.*?)`;
  });
  return new RegExp(`^${escaped.join("")}$`, "s");
};

/**
 * @param messages templates, the narrow ones first
 * @param translate a parameter that is itself a text; unchanged by default
 */
export function deviceTexts<Key extends string>(
  messages: Readonly<Record<Key, Message>>,
  translate: (name: string, value: string, language: Language) => string = (_, value) => value,
) {
  const patterns = Object.values<Message>(messages).map(
    (message) => [message, patternOf(message[1])] as const,
  );
  return {
    /** As the device writes it. */
    line: (key: Key, params: Params): string => formatMessage(messages[key], "en_gb", params),
    /** As the user reads it; a text of no template is shown unchanged. */
    read: (text: string, language: Language): string => {
      for (const [message, pattern] of patterns) {
        const groups = pattern.exec(text)?.groups;
        if (!groups) continue;
        const params = Object.entries(groups).map(
          ([name, value]) => [name, translate(name, value, language)] as const,
        );
        return formatMessage(message, language, Object.fromEntries(params));
      }
      return text;
    },
  };
}
