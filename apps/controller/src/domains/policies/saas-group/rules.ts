import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { spanOf } from "@weft/contract/rules/address.ts";

export interface OtherGroup {
  readonly name: string;
  readonly members: readonly string[];
}

type Span = NonNullable<ReturnType<typeof spanOf>>;
interface Held {
  readonly span: Span;
  readonly member: string;
  readonly group: string;
}

const spansOf = (members: readonly string[], group: string): Held[] =>
  members.flatMap((member) => {
    const span = spanOf(member);
    return span ? [{ span, member, group }] : [];
  });

const order = (one: Held, other: Held): number =>
  one.span.family - other.span.family ||
  (one.span.first < other.span.first ? -1 : one.span.first > other.span.first ? 1 : 0);

/** The first held span that shares an address with one of the own: one sweep over all, in order. */
function overlapOf(members: readonly string[], others: readonly OtherGroup[]): Held | null {
  const all = [
    ...spansOf(members, "").map((held) => ({ ...held, isOwn: true })),
    ...others.flatMap(({ name, members }) =>
      spansOf(members, name).map((held) => ({ ...held, isOwn: false })),
    ),
  ].sort(order);
  // Of each side the span that reaches furthest so far.
  const reach: { own: Held | null; other: Held | null } = { own: null, other: null };
  for (const { isOwn, ...held } of all) {
    const against = isOwn ? reach.other : reach.own;
    if (against?.span.family === held.span.family && against.span.last >= held.span.first)
      return isOwn ? against : held;
    const side = isOwn ? "own" : "other";
    const before = reach[side];
    const isFurther =
      before === null ||
      before.span.family !== held.span.family ||
      held.span.last > before.span.last;
    if (isFurther) reach[side] = held;
  }
  return null;
}

/**
 * A destination is in one group of its kind, or it would be undefined where it leaves: addresses must
 * not overlap, anything else must not be there twice. A name below another is a destination of its
 * own: the closer one counts. Pure.
 */
export function clashOf(
  kind: DestinationKind,
  members: readonly string[],
  others: readonly OtherGroup[],
): RuleIssue | null {
  if (kind === "ip") {
    const held = overlapOf(members, others);
    return (
      held && {
        path: "values",
        rule: "overlap",
        params: { value: held.member, other: held.group },
      }
    );
  }
  const mine = new Set(members.map((value) => value.toLowerCase()));
  for (const { name, members } of others) {
    const value = members.find((member) => mine.has(member.toLowerCase()));
    if (value !== undefined)
      return { path: "values", rule: "inUse", params: { value, other: name } };
  }
  return null;
}
