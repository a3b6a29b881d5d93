import { z } from "zod";
import { findMessage } from "#contract/messages.ts";
import { formatMessage } from "#kernel/message.ts";
import type { failsWith, RuleCode } from "#kernel/rule.ts";

/** A JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type Json = Record<string, unknown>;

type Def = {
  readonly type: string;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly params?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly params?: unknown } } }[];
};
const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;

type Broken = ReturnType<typeof failsWith>["params"];

/** The rules that a value of the schema keeps, by the codes that it would fail with. */
const rulesOf = (schema: z.ZodType): Broken[] => {
  const { params, checks = [], out, innerType } = defOf(schema);
  const allParams = [params, ...checks.map((check) => check._zod.def.params)];
  const named = allParams.filter(
    (candidate): candidate is Broken =>
      typeof candidate === "object" && candidate !== null && "rule" in candidate,
  );
  return [...named, ...(out ? rulesOf(out) : []), ...(innerType ? rulesOf(innerType) : [])];
};

/** What a rule is called in JSON Schema. */
const formats: Partial<Record<RuleCode, string>> = {
  email: "email",
  ipv4: "ipv4",
  hostName: "hostname",
  url: "uri",
};

const isNumeric = (rules: readonly Broken[]): boolean =>
  rules.some(({ rule }) => rule === "integer" || rule === "number" || rule === "money");

const limitsOf = (rules: readonly Broken[]): Json => {
  const limits: Json = {};
  for (const params of rules as readonly Json[]) {
    const { rule, min, max } = params as { rule: RuleCode; min?: unknown; max?: unknown };
    const format = formats[rule];
    if (format !== undefined) limits.format = format;
    if (!isNumeric(rules)) continue;
    if (min !== undefined && min !== "") limits.minimum = Number(min);
    if (max !== undefined && max !== "" && Number(max) < Number.MAX_SAFE_INTEGER) {
      limits.maximum = Number(max);
    }
  }
  return limits;
};

const shape = "yyyy-MM-dd HH:mm:ss, UTC";
const moment = String.raw`^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}:\d{2})?$`;
const ids = String.raw`^(\d+(,\d+)*)?$`;

/** "Must be 1–65535": what the rules of a value say when it breaks them. */
const textsOf = (rules: readonly Broken[]): string[] =>
  rules.flatMap(({ rule, ...params }) => {
    const text = ["integer", "number", "oneOf", "outOfRange"].includes(rule)
      ? undefined
      : findMessage(`rule.${rule}`);
    return text ? [formatMessage(text, "en_gb", params as Record<string, string | number>)] : [];
  });

const withText = (json: Json, texts: readonly string[]): Json =>
  texts.length === 0 ? json : { ...json, description: [...new Set(texts)].join(". ") };

/** Codes of `code`: the rule names them. */
const codesOf = (rules: readonly Broken[]): number[] | null => {
  const rule = (rules as readonly Json[]).find(({ rule }) => rule === "oneOf");
  return typeof rule?.values === "string" ? rule.values.split(", ").map(Number) : null;
};

/** Wire form of a codec of the kernel; null: not one that needs help. */
const codecSchema = (schema: z.ZodType): Json | null => {
  const { type, in: wire, out } = defOf(schema);
  if (type !== "pipe" || !wire || !out) return null;
  const inner = defOf(out);
  const rules = rulesOf(schema);
  const text = textsOf(rules);
  if (inner.type === "nullable" && inner.innerType) {
    const { description, ...value } = wireSchema(inner.innerType);
    const none = { anyOf: [value, { const: "" }] };
    return description === undefined ? none : { ...none, description };
  }
  if (inner.type === "boolean") return { type: "integer", enum: [0, 1] };
  if (inner.type === "array") return { type: "string", description: "joined by commas" };
  if (inner.type === "string") {
    const { type: _, ...limits } = wireSchema(out);
    return withText({ type: "string", ...limits, ...limitsOf(rules) }, text);
  }
  if (inner.type !== "custom") return null;
  const codes = codesOf(rules);
  if (codes) return { enum: codes };
  if (rules.some(({ rule }) => rule === "instant")) {
    return { type: "string", pattern: moment, description: shape };
  }
  const takesList = defOf(wire).options?.some((option) => defOf(option).type === "array");
  if (takesList) return withText({ type: "string", pattern: ids, description: "ids" }, text);
  if (!isNumeric(rules)) return null;
  const whole = rules.some(({ rule }) => rule === "integer");
  return withText({ type: whole ? "integer" : "number", ...limitsOf(rules) }, text);
};

/** A plain text with a rule of its own keeps its limits; a file is bytes. */
const ruled = (schema: z.ZodType, json: Json): Json => {
  const rules = rulesOf(schema);
  if (defOf(schema).type === "custom" && rules.some(({ rule }) => rule === "required")) {
    return { type: "string", contentMediaType: "application/octet-stream" };
  }
  // What wraps a value (a default, none) got its limits with the value.
  return defOf(schema).type === "string"
    ? withText({ ...json, ...limitsOf(rules) }, textsOf(rules))
    : json;
};

/** What travels for a schema, in both directions: the side of the wire, with what its rules say. */
export const wireSchema = (schema: z.ZodType): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const typed = zodSchema as unknown as z.ZodType;
      const form = codecSchema(typed) ?? ruled(typed, jsonSchema as Json);
      if (form === (jsonSchema as Json)) return;
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
      Object.assign(jsonSchema, form);
    },
  });
  return json as Json;
};
