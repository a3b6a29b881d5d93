/** What was typed, what it offers, and the row whose verbs are offered instead. */
import { useState } from "react";
import { type Choice, type Group, matchingChoices } from "./choice.ts";
import { type Offer, useOffer } from "./use-offer.ts";

/** A row with its verbs, and the text that found it. */
interface Subject {
  readonly choice: Choice;
  readonly text: string;
}

/** Verbs that are shown at most. */
const maxVerbs = 12;

/** The verbs of a row instead of what a text finds, while there is one. */
const verbsOf = (offer: Offer, subject: Subject | null, text: string): Offer => {
  if (!subject) return offer;
  const choices = matchingChoices(subject.choice.verbs ?? [], text, maxVerbs);
  const groups: Group[] = choices.length > 0 ? [{ key: "verb", choices }] : [];
  return { groups, isSearching: false, error: null, retry: offer.retry };
};

export interface Search {
  readonly typed: string;
  /** As typed, without the spaces around it. */
  readonly text: string;
  readonly offer: Offer;
  /** All choices in their order. */
  readonly all: readonly Choice[];
  /** Place of the selected one. */
  readonly at: number;
  /** The row whose verbs are offered; null: the text is looked for. */
  readonly subject: Choice | null;
  type(next: string): void;
  select(choice: Choice | undefined): void;
  enter(choice: Choice): void;
  /** Back to what was looked for. */
  leave(): void;
}

export const useSearch = (): Search => {
  const [typed, setTyped] = useState("");
  const [wanted, setWanted] = useState<string | null>(null);
  const [subject, setSubject] = useState<Subject | null>(null);
  const text = typed.trim();
  const offer = verbsOf(useOffer(subject?.text ?? text), subject, text);
  const all = offer.groups.flatMap(({ choices }) => choices);
  const type = (next: string): void => {
    setTyped(next);
    setWanted(null);
  };
  return {
    typed,
    text,
    offer,
    all,
    type,
    subject: subject?.choice ?? null,
    // Later results come below: the selected one keeps its place, or the first is selected.
    at: Math.max(
      0,
      all.findIndex((choice) => choice.id === wanted),
    ),
    select: (choice) => setWanted(choice?.id ?? null),
    enter: (choice) => {
      setSubject({ choice, text });
      type("");
    },
    leave: () => {
      if (!subject) return;
      setSubject(null);
      setTyped(subject.text);
      setWanted(subject.choice.id);
    },
  };
};

type Turn = "enter" | "leave";

/** Whether a key in the field goes to the verbs of the selected row, or back from them; null: neither. */
export const turnOf = (
  { typed, subject, all, at }: Search,
  key: string,
  /** Place of the caret in the field. */
  caret: number | null,
): Turn | null => {
  if (subject) {
    const isBack = typed === "" && (key === "ArrowLeft" || key === "Backspace");
    return isBack || key === "Escape" ? "leave" : null;
  }
  const hasVerbs = (all[at]?.verbs ?? []).length > 0;
  return key === "ArrowRight" && caret === typed.length && hasVerbs ? "enter" : null;
};
