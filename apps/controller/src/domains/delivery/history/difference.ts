/** What lies between two states, object by object. Pure. */

import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { ObjectDifference } from "@weft/contract/domains/delivery/node-history.ts";

/** Contents of a state's sections by name, as toSections gives them. */
export type Sections = ReadonlyMap<string, unknown>;
export type Difference = Omit<ObjectDifference, "spaceName">;
type Values = Readonly<Record<string, unknown>>;
type StateObject = Pick<Difference, "section" | "spaceId" | "kind" | "key"> & { fields: Values };

interface Listed {
  readonly kind: string;
  /** What tells one from the others; lists of plain values are their own keys. */
  readonly key: readonly string[];
}

/** Lists of each section whose members are objects of their own: `<section>.<field>`. */
const lists: Readonly<Record<string, Listed>> = {
  "underlay.lines": { kind: "line", key: ["slot"] },
  "underlay.lans": { kind: "lan", key: ["interfaceName", "vlan"] },
  "static.routes": { kind: "route", key: ["destination", "nextHop"] },
  "firewall.wan": { kind: "wan", key: [] },
  "firewall.lan": { kind: "lanAccess", key: ["interfaceName"] },
  "firewall.tunnelPorts": { kind: "tunnelPort", key: [] },
  "tunnel.links": { kind: "link", key: ["id"] },
  "routing.announce": { kind: "announce", key: [] },
  "client.peers": { kind: "account", key: ["id"] },
  "routing.neighbors": { kind: "neighbor", key: ["linkId"] },
};

const sectionOrder = ["node", "underlay", "static", "firewall", "tunnel", "routing", "client"];

const isPlain = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Nested values by dotted names: "bfd.intervalMs". */
const flat = (values: Values, prefix = ""): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isPlain(value) ? Object.entries(flat(value, `${prefix}${name}.`)) : [[prefix + name, value]],
    ),
  );

function listedObject(item: unknown, { kind, key }: Listed) {
  if (!isPlain(item)) return { kind, key: String(item), fields: {} };
  const name = key.map((field) => item[field]).join(" ");
  const fields = Object.entries(flat(item)).filter(([field]) => !key.includes(field));
  return { kind, key: name, fields: Object.fromEntries(fields) };
}

/** Every object that a state has. Links of one space stand together whatever their bucket. */
function objectsOf(sections: Sections): Map<string, StateObject> {
  const objects = new Map<string, StateObject>();
  const keep = (object: StateObject): void => {
    const { section, spaceId, kind, key } = object;
    objects.set(JSON.stringify([section, spaceId, kind, key]), object);
  };
  for (const [name, content] of sections) {
    const [section = name, space] = name.split(".");
    const place = { section, spaceId: space === undefined ? null : Number(space) };
    const settings: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(content as Values)) {
      const listed = lists[`${section}.${field}`];
      if (listed && Array.isArray(value)) {
        for (const item of value) keep({ ...place, ...listedObject(item, listed) });
      } else settings[field] = value;
    }
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

const natural = new Intl.Collator("en", { numeric: true });

const inOrder = (one: Difference, other: Difference): number =>
  sectionOrder.indexOf(one.section) - sectionOrder.indexOf(other.section) ||
  (one.spaceId ?? 0) - (other.spaceId ?? 0) ||
  natural.compare(one.kind, other.kind) ||
  natural.compare(one.key, other.key);

/**
 * What has to be added, removed and changed to come from one state to the other, in the order of
 * sections. An object that is on both sides with other values is one change with its fields.
 */
export function differences(from: Sections, to: Sections): Difference[] {
  const old = objectsOf(from);
  const now = objectsOf(to);
  const found: Difference[] = [];
  for (const [id, object] of old) {
    const other = now.get(id);
    const fields = fieldsBetween(object.fields, other?.fields ?? {});
    if (!other) found.push({ ...object, change: "removed", fields });
    else if (fields.length > 0) found.push({ ...object, change: "changed", fields });
  }
  for (const [id, object] of now) {
    if (!old.has(id)) {
      found.push({ ...object, change: "added", fields: fieldsBetween({}, object.fields) });
    }
  }
  return found.sort(inOrder);
}
