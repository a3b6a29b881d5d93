import { checkMemory, checkWire, type RuleIssue } from "@weft/contract/kernel/rule.ts";
import type { z } from "zod";

/** How a value is put in. */
export type FieldKind =
  | "text"
  | "number"
  | "mbps"
  | "select"
  | "radio"
  | "switch"
  | "remark"
  | "enterprise"
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
export const isRequired = (schema: z.ZodType): boolean => !checkWire(schema, "").ok;

const codecKinds: Readonly<Record<string, FieldKind>> = { boolean: "switch", string: "text" };

/** The usual way to put in a field, from its zod type. */
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

/** What form-data makes of a wire value. */
const asFormText = (wire: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wire)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === "";

/**
 * The rules that a draft breaks: those of the memory form, then those of what would be sent. The
 * second look finds what only the wire shows: text of nothing but blanks, for example.
 */
export const draftIssues = (
  schema: z.ZodType,
  values: Readonly<Record<string, unknown>>,
): readonly RuleIssue[] => {
  const memory = checkMemory(schema, values);
  const checked = memory.ok ? checkWire(schema, asFormText(memory.value as never)) : memory;
  if (checked.ok) return [];
  // An empty field lacks a value, whatever else its rule says about values.
  return checked.issues.map((issue) =>
    issue.path !== "" && isBlank(values[issue.path]) && issue.rule !== "atLeastOne"
      ? { ...issue, rule: "required" as const, params: {} }
      : issue,
  );
};

/** First issue of a field; nested paths ("cpeIds.0") belong to their field. */
export const issueOfField = (issues: readonly RuleIssue[], name: string): RuleIssue | null =>
  issues.find(({ path }) => path === name || path.startsWith(`${name}.`)) ?? null;
