/** What lies between two states, object by object. Pure. */
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { joinLans } from "@weft/contract/device/v1/earlier-lans.ts";
import type { AnyFieldRule } from "@weft/contract/device/v1/section.ts";
import {
  findDeclaration,
  type SectionKind,
  sectionKinds,
} from "@weft/contract/device/v1/sections.ts";
import type { ObjectDifference } from "@weft/contract/domains/delivery/history.ts";

/** Contents of a state's sections by name, as toSections gives them in any format. */
export type Sections = ReadonlyMap<string, unknown>;
export type Difference = Omit<ObjectDifference, "spaceName">;
type Values = Readonly<Record<string, unknown>>;
type StateObject = Pick<Difference, "section" | "spaceId" | "kind" | "key"> & {
  readonly fields: Values;
  /** From 1, among its kind in an ordered list; absent: order says nothing. */
  readonly position?: number;
};

type Listed = NonNullable<AnyFieldRule["list"]>;

const isPlain = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Nested values by dotted names: "bfd.intervalMs". */
const flat = (values: Values, prefix = ""): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isPlain(value) ? Object.entries(flat(value, `${prefix}${name}.`)) : [[prefix + name, value]],
    ),
  );

function listedObject(item: unknown, { kind, key, unseen = [] }: Listed) {
  if (!isPlain(item)) return { kind, key: String(item), fields: {} };
  const name = key.map((field) => item[field] ?? "*").join(" ");
  const hidden = [...key, ...unseen];
  const fields = Object.entries(flat(item)).filter(
    ([field]) => !hidden.includes(field.split(".")[0] ?? ""),
  );
  return { kind, key: name, fields: Object.fromEntries(fields) };
}

const natural = new Intl.Collator("en", { numeric: true });

/** Chunks of an ordered list follow each other by their numbers. */
const inNumberOrder = (sections: Sections): [name: string, content: unknown][] =>
  [...sections].sort(([text], [other]) => natural.compare(text, other));

/** The first number in the name of a section is its space, where it is of one: else that of a part. */
const spaceOf = (section: string, number: string | undefined): number | null =>
  number === undefined || findDeclaration(section)?.occurs !== "perSpace" ? null : Number(number);

/** Every object that a state has. Links of one space are compared together whatever their bucket. */
function objectsOf(sections: Sections): Map<string, StateObject> {
  const objects = new Map<string, StateObject>();
  const keep = (object: StateObject): void => {
    const { section, spaceId, kind, key } = object;
    objects.set(JSON.stringify([section, spaceId, kind, key]), object);
  };
  /** Members of ordered lists so far, by section and field. */
  const counted = new Map<string, number>();
  for (const [name, content] of inNumberOrder(sections)) {
    const [section = name, number] = name.split(".");
    const place = { section, spaceId: spaceOf(section, number) };
    const settings: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(content as Values)) {
      const listed = findDeclaration(section)?.fields[field]?.list;
      if (listed && Array.isArray(value)) {
        const list = `${section} ${place.spaceId} ${field}`;
        const before = counted.get(list) ?? 0;
        for (const [at, item] of value.entries()) {
          const position = listed.ordered && { position: before + at + 1 };
          keep({ ...place, ...listedObject(item, listed), ...position });
        }
        counted.set(list, before + value.length);
      } else settings[field] = value;
    }
    // A section of lists alone says nothing more than its members do.
    if (Object.keys(settings).length > 0)
      keep({ ...place, kind: "settings", key: "", fields: flat(settings) });
  }
  return objects;
}

const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null);

function fieldsBetween(old: Values, now: Values): Difference["fields"] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((field) => ({ field, old: old[field] ?? null, new: now[field] ?? null }))
    .filter((one) => !isSame(one.old, one.new));
}

/** Sections that this version does not know come last. */
const orderOf = (section: string): number => {
  const at = sectionKinds.indexOf(section as SectionKind);
  return at === -1 ? sectionKinds.length : at;
};

const inOrder = (difference: Difference, other: Difference): number =>
  orderOf(difference.section) - orderOf(other.section) ||
  (difference.spaceId ?? 0) - (other.spaceId ?? 0) ||
  natural.compare(difference.kind, other.kind) ||
  natural.compare(difference.key, other.key);

type Objects = ReadonlyMap<string, StateObject>;

/**
 * Objects of ordered lists that precede others than before. One that only made room for
 * another, which came or went, has not moved.
 */
function movedIn(old: Objects, now: Objects): Set<string> {
  const kept = [...old].filter(([id, { position }]) => position !== undefined && now.has(id));
  const place = (objects: Objects, id: string): number => objects.get(id)?.position ?? 0;
  const listOf = ({ section, spaceId, kind }: StateObject) => `${section} ${spaceId} ${kind}`;
  const moved = new Set<string>();
  for (const [, list] of Map.groupBy(kept, ([, object]) => listOf(object))) {
    const ids = list.map(([id]) => id);
    const before = ids.toSorted((a, b) => place(old, a) - place(old, b));
    const after = ids.toSorted((a, b) => place(now, a) - place(now, b));
    for (const [at, id] of before.entries()) if (after[at] !== id) moved.add(id);
  }
  return moved;
}

/**
 * What has to be added, removed and changed to come from one state to the other, in the order of
 * sections. An object that is on both sides with other values is one change with its fields; one
 * that moved in a list whose order counts is a change of its `position`.
 */
export function differences(from: Sections, to: Sections): Difference[] {
  const old = objectsOf(joinLans(from));
  const now = objectsOf(joinLans(to));
  const moved = movedIn(old, now);
  const changes: Difference[] = [];
  for (const [id, { position, ...object }] of old) {
    const other = now.get(id);
    const fields = fieldsBetween(object.fields, other?.fields ?? {});
    if (moved.has(id)) {
      fields.push({ field: "position", old: position ?? null, new: other?.position ?? null });
    }
    if (!other) changes.push({ ...object, change: "removed", fields });
    else if (fields.length > 0) changes.push({ ...object, change: "changed", fields });
  }
  for (const [id, { position: _, ...object }] of now) {
    if (!old.has(id)) {
      changes.push({ ...object, change: "added", fields: fieldsBetween({}, object.fields) });
    }
  }
  return changes.sort(inOrder);
}
