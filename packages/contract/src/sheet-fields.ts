/**
 * Columns of the files that rows go out to and come in from: which fields they have, what their heads
 * say, and how a cell stands for a value. Server and tests work from it; the console shows the result.
 */
import { z } from "zod";
import { grantCodes, grantText } from "#contract/grants.ts";
import { contractMessages, findMessage } from "#contract/messages.ts";
import { recordCodes } from "#domains/access/record-fields.ts";
import { hookChannels } from "#domains/notifications/channels.ts";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import type { Message } from "#kernel/message.ts";
import type { AnyResource } from "#kernel/resource.ts";
import { versionField } from "#kernel/row-version.ts";
import { checkWire } from "#kernel/rule.ts";
import { applications } from "#rules/applications.ts";

/** Rows that fields name by their ids; a policy object by its family. */
export type ReferenceKind =
  | "area"
  | "alarmPolicy"
  | "cpe"
  | "cloudNode"
  | "enterprise"
  | "node"
  | "pop"
  | "popStrategy"
  | "profile"
  | "receiver"
  | "role"
  | "template"
  | `family:${string}`;

/** Fields that name rows of another table, by module and field where the field alone does not say it. */
export const referenceKinds: Readonly<Record<string, ReferenceKind>> = {
  cpeId: "cpe",
  cpeIds: "cpe",
  nCpeID: "cpe",
  popId: "pop",
  popIds: "pop",
  nodeId: "node",
  sourceId: "node",
  targetId: "node",
  areaId: "area",
  groupid: "enterprise",
  groupids: "enterprise",
  parentId: "enterprise",
  roleId: "role",
  roleIds: "role",
  strategyId: "popStrategy",
  recipientIds: "receiver",
  speedId: "profile",
  vbrNodeId: "cloudNode",
  templateId: "template",
  "alarmRule.strategyId": "alarmPolicy",
};

/** Fields in kbit/s and in bit/s, which people read in Mbit/s. */
const kilobits = new Set([
  "upBandwidth",
  "downBandwidth",
  "gbw",
  "maxbw",
  "bandwidth",
  "guaranteed",
]);
const bits = new Set(["txbps", "rxbps", "cugBandwidth", "cug.bandwidth"]);

/** How much of a field's own unit one Mbit/s is; null: the field is no rate. */
export const perMegabit = (module: string, field: string): number | null => {
  if (bits.has(field) || bits.has(`${module}.${field}`)) return 1_000_000;
  return kilobits.has(field) ? 1_000 : null;
};

export interface SheetField {
  readonly name: string;
  readonly title: Message;
  /** `id`: of the row; `value`: of the draft, read on import; `shown`: written on export only. */
  readonly role: "id" | "value" | "shown";
  readonly schema: z.ZodType;
  /** What its values are called, by the value on the wire; empty: as they are. */
  readonly labels: ReadonlyMap<string, Message>;
  /** True: only those values are accepted. */
  readonly isChoice: boolean;
  /** True: a value is the sum of several. */
  readonly isMask: boolean;
  readonly isMoment: boolean;
  readonly isList: boolean;
  readonly perMegabit: number | null;
  /** Of a new row that leaves it out, on the wire; null: there is none. */
  readonly initial: string | null;
  readonly kind: ReferenceKind | null;
}

/** The head of the column that has the ids of rows, in every file. */
export const idTitle: Message = findMessage("field.id") ?? ["编号", "Id"];

const codesOf = (list: string): [string, Message][] => {
  const prefix = `enum.${list}.`;
  return Object.entries<Message>(contractMessages).flatMap(([key, text]) =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), text] as [string, Message]] : [],
  );
};

const catalogue: ReadonlySet<string> = new Set([
  "saasGroup.dpi.values",
  "routerAppgroup.l7ids",
  "routerProtocolex.l7pro",
]);
const applicationWords = (): [string, Message][] => {
  const twice = Map.groupBy(applications, ({ name }) => name[0]);
  return applications.flatMap(({ id, name }) =>
    // What two of them are called stays a number.
    twice.get(name[0])?.length === 1 ? [[String(id), name] as [string, Message]] : [],
  );
};
const permissionWords = (): [string, Message][] =>
  grantCodes.map((code) => [code, grantText(code)]);

/** Fields whose codes are called like those of another. */
const alike: Readonly<Record<string, string>> = { nEnable: "enable" };

/** Text that no choice has: what a field says of it shows what it would accept. */
const probe = "\u0001";

/** Values that a field is limited to; null: it is not. */
const choicesOf = (schema: z.ZodType): string[] | null => {
  const checked = checkWire(schema, probe);
  const issue = checked.ok ? undefined : checked.issues.find(({ rule }) => rule === "oneOf");
  return issue ? String(issue.params.values).split(", ") : null;
};

const lists = ["1", "example.com", "10.1.1.1", "cpeEdit", "0"];
const takesLists = (schema: z.ZodType): boolean =>
  lists.some((text) => {
    const read = z.safeDecode(schema, text as never);
    return read.success && Array.isArray(read.data);
  });

const takesMoments = (schema: z.ZodType): boolean => {
  const wire = z.safeEncode(schema, new Date(86_400_000) as never);
  const back = wire.success ? z.safeDecode(schema, wire.data as never) : null;
  return back?.success === true && (back.data as unknown) instanceof Date;
};

/** Of a policy object: both of its scopes have one name. */
const moduleOf = ({ name }: AnyResource): string => name.replace(/\.manage$/, "");

const labelsOf = (module: string, name: string, choices: string[] | null): [string, Message][] => {
  if (name === "authorities") return permissionWords();
  if (catalogue.has(`${module}.${name}`)) return applicationWords();
  const known = codesOf(recordCodes[`${module}.${name}`] ?? alike[name] ?? name);
  if (!choices) return known;
  const isFlag = choices.join() === "1,0";
  const matching = known.filter(([code]) => choices.includes(code));
  return isFlag && matching.length < 2 ? codesOf("flag") : matching;
};

/** What a new row is unless it says otherwise, as in the forms: enabled. */
const switches: ReadonlySet<string> = new Set(["enable", "nEnable"]);
/** Channels that a file from before they existed does not name: off. */
const laterSwitches: ReadonlySet<string> = new Set(
  hookChannels.map((hookChannel) => `${hookChannel}Flag`),
);
const initialOf = (name: string, schema: z.ZodType): string | null => {
  if (switches.has(name)) return "1";
  if (laterSwitches.has(name)) return "0";
  // A choice that came later: what a file from before does not name is what calls get that leave it out.
  const initial = schema instanceof z.ZodDefault ? schema.def.defaultValue : null;
  return typeof initial === "string" ? initial : null;
};

/** Sums of bits; the labels name single ones. */
const masks: ReadonlySet<string> = new Set(["lineGroup", "natType", "flags"]);

const kindOf = (module: string, name: string): ReferenceKind | null => {
  const family = policyFamilies.find((policyFamily) => policyFamily.name === module);
  const target = family?.spec.references?.[name];
  if (target !== undefined) return `family:${target}`;
  return referenceKinds[`${module}.${name}`] ?? referenceKinds[name] ?? null;
};

function fieldOf(
  resource: AnyResource,
  role: SheetField["role"],
  [name, schema]: readonly [string, z.ZodType],
): SheetField {
  const module = moduleOf(resource);
  const title = role === "id" ? idTitle : (findMessage(`field.${name}`) ?? [name, name]);
  const kind = role === "id" ? null : kindOf(module, name);
  const isMoment = takesMoments(schema);
  const choices = kind === null && !isMoment ? choicesOf(schema) : null;
  const labels = kind === null && role !== "id" ? labelsOf(module, name, choices) : [];
  return {
    name,
    title,
    role,
    schema,
    kind,
    isMoment,
    labels: new Map(labels),
    isChoice: choices !== null,
    isMask: masks.has(name),
    isList: takesLists(schema),
    perMegabit: perMegabit(module, name),
    initial: initialOf(name, schema),
  };
}

/** Fields that say whose rows are meant: of a list inside a node, a template or a policy. */
export const ownerFieldsOf = ({ owner, inside = {} }: AnyResource): readonly string[] => [
  ...(owner === undefined ? [] : [owner as string]),
  ...Object.keys(inside),
];

/** The field that names the enterprise of a row; null: its owner does, or the row is one itself. */
export const enterpriseFieldOf = (resource: AnyResource): string | null =>
  "groupid" in resource.draft.shape && resource.id !== "groupid" ? "groupid" : null;

/** The kind of row that a field of a resource names; null: it names none. */
export const referenceOf = (resource: AnyResource, name: string): ReferenceKind | null =>
  kindOf(moduleOf(resource), name);

const known = new WeakMap<AnyResource, readonly SheetField[]>();

/** Head of the column that names the CPE of a row, in a file with rows of many. */
const cpeTitle: Message = ["CPE", "CPE"];

/** Columns of a file with rows of all CPEs: the CPE's name comes after the id. */
export function acrossSheetFields(resource: AnyResource): readonly SheetField[] {
  const [id, ...others] = sheetFields(resource);
  const [owner = ""] = ownerFieldsOf(resource);
  const schema = resource.draft.shape[owner] as z.ZodType | undefined;
  if (!id || !schema) throw new Error(`${resource.name} has no rows of CPEs`);
  const cpe: SheetField = {
    ...fieldOf(resource, "value", [owner, schema]),
    title: cpeTitle,
    kind: "cpe",
  };
  return [id, cpe, ...others];
}

/**
 * Columns of a resource: its id, what can be edited, and what is shown besides. What says whose rows
 * they are is no column: the page that the file belongs to says it.
 */
export const sheetFields = (resource: AnyResource): readonly SheetField[] => {
  const cached = known.get(resource);
  if (cached) return cached;
  const made = [...columnsOf(resource)];
  known.set(resource, made);
  return made;
};

function* columnsOf(resource: AnyResource): Generator<SheetField> {
  const row = Object.entries<z.ZodType>(resource.row.shape);
  const owners = ownerFieldsOf(resource);
  const secret = (name: string) => !(name in resource.row.shape);
  const draft = Object.entries<z.ZodType>(resource.draft.shape).filter(
    ([name]) => !owners.includes(name) && !secret(name),
  );
  yield fieldOf(resource, "id", [resource.id, resource.row.shape[resource.id] as z.ZodType]);
  const values = draft.map((entry) => fieldOf(resource, "value", entry));
  yield* values;
  const taken = new Set<string>([idTitle, ...values.map(({ title }) => title)].flat());
  for (const [name, schema] of row) {
    const isValue = name in resource.draft.shape || owners.includes(name);
    if (isValue || name === resource.id || name === versionField) continue;
    const text = findMessage(`field.${name}`);
    // A name beside its id has the id's head; what has no name is of no use to a reader.
    if (!text || text.some((title) => taken.has(title))) continue;
    for (const title of text) taken.add(title);
    yield fieldOf(resource, "shown", [name, schema]);
  }
}
