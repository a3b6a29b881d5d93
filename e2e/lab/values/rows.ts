/** Rows of the campaign of values: as many values together as the contract takes, so that a wave tries them at once. */
import { checkWire } from "@weft/contract/kernel/rule.ts";
import type { Part } from "./calls.ts";
import type { ValueKind } from "./nasty-values.ts";
import type { Subject, Wire } from "./subjects.ts";

/** A draft with nasty values in one field or in several. */
export interface Row {
  readonly subject: Subject;
  readonly parts: readonly Part[];
  readonly wire: Wire;
}

export const rowOf = (subject: Subject, part: Part, number: number): Row => ({
  subject,
  parts: [part],
  wire: { ...subject.draft(number), [part.field.name]: part.value },
});

/** Kinds of which a value hides no other one. */
const plainKinds: readonly ValueKind[] = ["name", "text", "number"];

/** Null: the two cannot be one row. */
function joined({ subject, parts, wire }: Row, part: Part): Row | null {
  const all = [...parts, part];
  const isTwice = parts.some(({ field }) => field.name === part.field.name);
  const hiding = all.filter(({ field }) => !plainKinds.includes(field.kind));
  // A card that is not there makes an address good.
  if (isTwice || (hiding.length > 1 && subject.removePath !== null)) return null;
  const more = { ...wire, [part.field.name]: part.value };
  return checkWire(subject.schema, more).ok ? { subject, parts: all, wire: more } : null;
}

/** The values of one subject in as few rows as there can be. */
export function packed(subject: Subject, parts: readonly Part[], next: () => number): Row[] {
  const rows: Row[] = [];
  let left = parts;
  while (left.length > 0) {
    const [first, ...rest] = left as [Part, ...Part[]];
    let row = rowOf(subject, first, next());
    const waiting: Part[] = [];
    for (const part of rest) {
      const more = joined(row, part);
      if (more) row = more;
      else waiting.push(part);
    }
    rows.push(row);
    left = waiting;
  }
  return rows;
}

/** Whether hosts need not reach each other while the row is there: a deny after it shows nothing new to packets. */
export const denies = ({ subject, parts }: Row): boolean =>
  subject.removePath === null ? parts.some(({ field }) => field.kind === "date") : subject.denies;
