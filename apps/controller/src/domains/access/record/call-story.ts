/** What a call is called where its row of the operation log is gone, or out of sight. */
import {
  otherAction,
  otherCauses,
  programCauses,
  recordActionOf,
  recordActors,
} from "@weft/contract/domains/access/record-actions.ts";
import { formatMessage, type Message, placeholdersOf } from "@weft/contract/kernel/message.ts";
import { moduleTitles } from "./modules.ts";
import { sentence } from "./story.ts";
import { inSentence, type Pair } from "./value-texts.ts";

const unknownObject: Message = ["配置", "Settings"];
const known = new Set(["who", "object", "place"]);

const of = (texts: Readonly<Record<string, Message>>, name: string): Message | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

/** What a program did that is no call of this release; undefined: it is one, or a person did it. */
const programText = (by: string, action: string): Message | undefined =>
  of(programCauses, `${by}: ${action}`) ??
  (recordActionOf(action) ? undefined : of(otherCauses, by));

/**
 * One sentence in both languages: who did what to which kind of object.
 * @param action id of the call, or what a program did
 */
export function storyOfCall(by: string, action: string): Pair {
  const program = programText(by, action);
  if (program) return [program[0], program[1]];
  const module = action.split(".").slice(0, -1).join(".");
  const title = moduleTitles.get(module) ?? unknownObject;
  const text = recordActionOf(action)?.text ?? otherAction;
  // What the call recorded is not known here.
  const isPlain = placeholdersOf(text[0]).every((name) => known.has(name));
  const actor = of(recordActors, by);
  const sentenceIn = (language: "zh_cn" | "en_gb"): string => {
    const object = inSentence(formatMessage(title, language));
    const who = actor ? formatMessage(actor, language) : by;
    return sentence(isPlain ? text : otherAction, language, { who, object, place: object });
  };
  return [sentenceIn("zh_cn"), sentenceIn("en_gb")];
}
