/** Words of names that plain English knows too: counted, so that there are not more of them. */
import { named, phrase, type Word } from "./word-list-patterns.ts";

export const wordsOfNames: readonly Word[] = [
  {
    word: "said",
    pattern: named("said"),
    use: "reported, text, output",
    reason: "programs report and print",
  },
  {
    word: "look",
    pattern: named("look", "looks"),
    use: "check; display preferences",
    reason: "the field's terms",
  },
  {
    word: "walk",
    pattern: named("walk", "walks", "walker", "walkers"),
    use: "crawl, crawler; traverse",
    reason: "the field's term for visiting all pages",
  },
  {
    word: "beat",
    pattern: named("beat", "beats"),
    use: "heartbeat",
    reason: "the field's term",
  },
  {
    word: "whole",
    pattern: /\bwhole:/,
    use: "unscopedReason",
    reason: "an option says what it is",
  },
  {
    word: "house",
    pattern: phrase("house", "house rules?"),
    use: "repository conventions",
    reason: "the field's term",
  },
  {
    word: "doubt",
    pattern: named("doubt", "nudge", "nudged"),
    use: "verifyConnection, retryFetch",
    reason: "says what is done",
  },
];
