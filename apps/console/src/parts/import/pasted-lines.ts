/** Lines that were pasted into a text area: which of them are values, which come twice and which are wrong. Pure. */
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { spanOf } from "@weft/contract/rules/address.ts";

export interface PastedValue {
  /** Number of the line in the text; the first is 1. */
  readonly line: number;
  readonly value: string;
  /** What follows the value on its line behind a `#`; empty: nothing. */
  readonly comment: string;
}
export interface DoubleValue extends PastedValue {
  /** Line that has it first. */
  readonly first: number;
}
export interface WrongValue extends PastedValue {
  readonly issue: RuleIssue;
}

export interface PastedLines {
  /** Lines that have a value. */
  readonly lines: number;
  readonly good: readonly PastedValue[];
  readonly double: readonly DoubleValue[];
  readonly wrong: readonly WrongValue[];
}

/** A line of comment alone: `# printers`, `// printers`, `; printers`. */
const commentLine = /^(?:#|\/\/|;)/;
/** A comment behind a value: a URL has `#` without a blank before it. */
const comment = /\s#\s?(.*)$/;
const separators = /[\s,;，；、]+/;

/** Equal for values that mean the same: `10.0.0.0/8`, `10.1.0.0/8`, upper case. */
function identityOf(value: string): string {
  const span = spanOf(value);
  return span ? `${span.family} ${span.first} ${span.last}` : value.toLowerCase();
}

/**
 * @param text as pasted: one value or several on a line, comments behind `#`, full-width characters as ASCII
 * @param check what is wrong with a value; null: nothing
 */
export function readLines(text: string, check: (value: string) => RuleIssue | null): PastedLines {
  const firstOf = new Map<string, number>();
  const [good, double, wrong] = [[] as PastedValue[], [] as DoubleValue[], [] as WrongValue[]];
  let lines = 0;
  for (const [at, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const written = raw.normalize("NFKC").replaceAll("\u200b", "").trim();
    if (written === "" || commentLine.test(written)) continue;
    lines += 1;
    const note = comment.exec(` ${written}`)?.[1]?.trim() ?? "";
    const values = ` ${written}`.replace(comment, "").split(separators);
    for (const value of values.filter((part) => part !== "")) {
      const pasted: PastedValue = { line: at + 1, value, comment: note };
      const issue = check(value);
      const identity = identityOf(value);
      const first = firstOf.get(identity);
      if (issue) wrong.push({ ...pasted, issue });
      else if (first !== undefined) double.push({ ...pasted, first });
      else {
        firstOf.set(identity, pasted.line);
        good.push(pasted);
      }
    }
  }
  return { lines, good, double, wrong };
}

/** Characters of an object's name at most (rules/text.ts). */
const maxName = 64;

/** FNV-1a, 32 bits: tells long names apart that begin alike. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

/** A name for an entry out of its value, by the rule of names: `office_10-0-0-0_8`. */
export function entryName(group: string, value: string): string {
  const plain = value.replaceAll("/", "_").replace(/[^\p{Script=Han}A-Za-z0-9_-]+/gu, "-");
  const name = `${group}_${plain}`;
  if ([...name].length <= maxName) return name;
  const end = `-${hashOf(`${group}\n${value}`)}`;
  return `${[...name].slice(0, maxName - end.length).join("")}${end}`;
}
