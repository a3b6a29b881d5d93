// The field's words: what we name ourselves is called as everybody who works on networks calls it, so
// that a reader can search for what they know. Words that the specification puts on the wire, and
// labels that it gives, stay.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { inRoot, root } from "./repository.ts";
import { wordList } from "./word-list.ts";
import type { Allowed } from "./word-list-patterns.ts";

/** A place where a word of the list is used and not allowed. */
interface Use {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** What the files say of one word. */
export interface WordUses {
  readonly word: string;
  readonly uses: readonly Use[];
  /** Allowances that no line needs any more. */
  readonly unused: readonly Allowed[];
}

const textFile = /\.(ts|tsx|mjs|css|html|svg|md|json|sql|service)$|^\.ci\/run$/;

// The specification is not ours; a lock file names packages; the list itself names every word; a
// migration is never edited once it was applied.
const exempt =
  /^(packages\/contract\/spec\/|package-lock\.json$|tools\/src\/word(s|-list)[-.]|apps\/controller\/src\/db\/migrations\/)/;

/** Tracked text files of our own, relative to the root. */
export function readOwnTexts(): ReadonlyMap<string, string> {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => textFile.test(file) && !exempt.test(file) && existsSync(inRoot(file)));
  return new Map(files.map((file) => [file, readFileSync(inRoot(file), "utf8")]));
}

const isAllowed = (one: Allowed, file: string, line: string): boolean =>
  (one.files?.test(file) ?? true) && (one.line?.test(line) ?? true);

/** Where the given texts use the words of the list. */
export function findWords(texts: ReadonlyMap<string, string>): WordUses[] {
  const lines = [...texts].flatMap(([file, text]) =>
    text.split("\n").map((line, at) => ({ file, line: at + 1, text: line })),
  );
  return wordList.map(({ word, pattern, allowed = [] }) => {
    const unused = new Set(allowed);
    const uses = lines.filter(({ file, text }) => {
      if (!pattern.test(text)) return false;
      const by = allowed.filter((one) => isAllowed(one, file, text));
      for (const one of by) unused.delete(one);
      return by.length === 0;
    });
    return { word, uses, unused: [...unused] };
  });
}
