/** Words of names that plain English knows too: only the senses that we name otherwise. */
import { named, phrase, type Word } from "./word-list-patterns.ts";

export const nameWords: readonly Word[] = [
  {
    word: "said",
    pattern: named("said"),
    use: "reported, text, output",
    reason: "programs report and print",
  },
  {
    word: "look",
    // As a name and as a noun; the verb (how it looks, looks for) is plain English.
    pattern:
      /[a-z]Looks?(?![a-z])|(?<![A-Za-z])looks?(?:[A-Z]|\()|#looks?\b|(?<![\w-])(?:an?|each|every|first|full|last|next|of|one|second|the|this|two|whose) looks?(?![\w-])/,
    use: "check, evaluation, read; display preferences, appearance",
    reason: "the field's terms",
  },
  {
    word: "walk",
    pattern: named("walk", "walks", "walker", "walkers"),
    use: "crawl, crawler; traverse",
    reason: "the field's term for visiting all pages",
    allowed: [{ line: /createTreeWalker/, reason: "a call of browsers" }],
  },
  {
    word: "beat",
    pattern: named("beat", "beats"),
    use: "heartbeat",
    reason: "the field's term",
  },
  {
    word: "whole",
    pattern: /\bwhole\??:/,
    use: "unscopedReason",
    reason: "an option says what it is",
  },
  {
    word: "house",
    pattern: phrase("house", "house rules?"),
    use: "repository conventions",
    reason: "the field's term",
    allowed: [{ line: /house\.test\.ts/, reason: "name of the test that scripts of clones run" }],
  },
  {
    word: "of before",
    pattern: phrase("of before(?!\\.)"),
    use: "previous, earlier, from before",
    reason: "plain technical English",
  },
  {
    word: "put right",
    pattern: phrase("puts? (?:it |them )?right"),
    use: "repair, correct",
    reason: "drift is repaired",
  },
  {
    word: "machine back",
    pattern: phrase("machine back(?! to)", "machine is given back"),
    use: "restore the machine",
    reason: "what was there before is restored",
  },
  {
    word: "doubt",
    pattern: named("doubt", "nudge", "nudged"),
    use: "verifyConnection, retryFetch",
    reason: "says what is done",
  },
];
