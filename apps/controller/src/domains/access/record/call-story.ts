/** What a call is called where its row of the operation log is gone, or out of sight. */
import {
  otherAction,
  recordActionOf,
  recordActors,
} from "@weft/contract/domains/access/record-actions.ts";
import { formatMessage, type Message, placeholdersOf } from "@weft/contract/kernel/message.ts";
import { moduleTitles } from "./modules.ts";
import { sentence } from "./story.ts";
import { inSentence, type Pair } from "./value-texts.ts";

const unknownObject: Message = ["配置", "Settings"];
const known = new Set(["who", "object", "place"]);

/** One sentence in both languages: who did what to which kind of object. @param action id of the call */
export function storyOfCall(by: string, action: string): Pair {
  const module = action.split(".").slice(0, -1).join(".");
  const title = moduleTitles.get(module) ?? unknownObject;
  const says = recordActionOf(action)?.says ?? otherAction;
  // What the call recorded is not known here.
  const isPlain = placeholdersOf(says[0]).every((name) => known.has(name));
  const actor = Object.hasOwn(recordActors, by) ? recordActors[by] : undefined;
  const say = (language: "zh_cn" | "en_gb"): string => {
    const object = inSentence(formatMessage(title, language));
    const who = actor ? formatMessage(actor, language) : by;
    return sentence(isPlain ? says : otherAction, language, { who, object, place: object });
  };
  return [say("zh_cn"), say("en_gb")];
}
