import {
  type Checked,
  checkMemory,
  checkWire,
  type RuleIssue,
} from "@weft/contract/kernel/rule.ts";
import type { z } from "zod";

/** How a value is put in. */
export type FieldKind =
  | "text"
  | "number"
  | "select"
  | "radio"
  | "switch"
  | "remark"
  | "combo"
  | "mono"
  | "dateTime"
  | "password";

type Def = { readonly type: string; readonly in?: z.ZodType; readonly out?: z.ZodType } & {
  readonly innerType?: z.ZodType;
};
const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;

/** The schema of a field inside what says that it may be missing. */
const present = (schema: z.ZodType): z.ZodType => {
  const { type, out, innerType } = defOf(schema);
  if (innerType && (type === "nullable" || type === "optional" || type === "default")) {
    return present(innerType);
  }
  return type === "pipe" && out && defOf(out).type === "nullable" ? present(out) : schema;
};

/** True: "none" is a value of its own (null in memory), as `orNull` of the contract has it. */
export const isNullable = (schema: z.ZodType): boolean => checkMemory(schema, null).ok;

/** True: left empty, the field breaks a rule. */
export const isRequired = (schema: z.ZodType): boolean =>
  !isNullable(schema) && !checkWire(schema, "").ok;

const codecKinds: Readonly<Record<string, FieldKind>> = { boolean: "switch", string: "text" };

/** The default control of a field, from its zod type. */
export const kindOf = (name: string, schema: z.ZodType): FieldKind => {
  if (name === "remark") return "remark";
  const { type, in: wire, out } = defOf(present(schema));
  if (type === "enum") return "select";
  if (type !== "pipe" || !wire || !out) return "text";
  const known = codecKinds[defOf(out).type];
  if (known) return known;
  // Both are checked by a rule of their own; their wire forms differ.
  return defOf(wire).type === "string" ? "dateTime" : "number";
};

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

type Values = Readonly<Record<string, unknown>>;

/** The value of an untouched field; undefined: it has to be filled. */
const untouched = (schema: z.ZodType): unknown => {
  if (isNullable(schema)) return null;
  const empty = checkWire(schema, "");
  return empty.ok ? empty.value : undefined;
};

/** One field. Text has the same form in memory and on the wire, so it is read as the API reads it. */
const checkField = (schema: z.ZodType, value: unknown): Checked<unknown> => {
  if (typeof value === "string") return checkWire(schema, value);
  const memory = checkMemory(schema, value);
  return memory.ok ? { ok: true, value } : memory;
};

const atField = (name: string, value: unknown, issue: RuleIssue): RuleIssue => {
  const path = issue.path === "" ? name : `${name}.${issue.path}`;
  // An empty field lacks a value, whatever else its rule says about values.
  const lacks = isBlank(value) && issue.rule !== "atLeastOne";
  return lacks ? { path, rule: "required", params: {} } : { ...issue, path };
};

/** The schema of each field. */
export const shapeOf = (schema: z.ZodType): Readonly<Record<string, z.ZodType>> =>
  (schema as z.ZodObject).shape as Readonly<Record<string, z.ZodType>>;

/**
 * The values that a form would send, or the rules that they break: first those of single fields,
 * then those between fields. They are the rules of the API, since both come from one schema.
 */
export const checkDraft = (schema: z.ZodType, values: Values): Checked<Values> => {
  const issues: RuleIssue[] = [];
  const complete: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shapeOf(schema))) {
    const value = values[name] === undefined ? untouched(field) : values[name];
    if (value === undefined) {
      issues.push({ path: name, rule: "required", params: {} });
      continue;
    }
    const checked = checkField(field, value);
    if (checked.ok) complete[name] = checked.value;
    else issues.push(...checked.issues.map((issue) => atField(name, value, issue)));
  }
  if (issues.length > 0) {
    // Rules between fields that are right by themselves; most are checked only when all are.
    const between = checkMemory(schema, { ...values, ...complete });
    const more = between.ok ? [] : between.issues.filter(({ path }) => path in complete);
    return { ok: false, issues: [...issues, ...more] };
  }
  const whole = checkMemory(schema, complete);
  return whole.ok ? { ok: true, value: complete } : whole;
};

/** First issue of a field; nested paths ("cpeIds.0") belong to their field. */
export const issueOfField = (issues: readonly RuleIssue[], name: string): RuleIssue | null =>
  issues.find(({ path }) => path === name || path.startsWith(`${name}.`)) ?? null;
