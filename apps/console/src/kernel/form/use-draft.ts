import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { createContext, useCallback, useContext, useMemo, useRef, useState } from "react";
import type { z } from "zod";
import type { CallError } from "#client/call.ts";
import type { FieldProps } from "./field-props.ts";
import { checkDraft, issueOfField } from "./field-schema.ts";

export type DraftSchema = z.ZodType<object, object>;
type Values = Readonly<Record<string, unknown>>;

/** What a form holds, and which of it is wrong. */
export interface Draft<Schema extends DraftSchema = DraftSchema> {
  readonly schema: Schema;
  /** Memory form; fields that are not filled yet may be missing. */
  readonly values: Values;
  /** Names of fields that differ from the start. */
  readonly changed: readonly string[];
  /** A failure that belongs to no field. */
  readonly failure: CallError | null;
  /** The fields that are shown, by name: what else shows values of theirs does it as they do. */
  readonly fields: Map<string, FieldProps>;
  set(name: string, value: unknown): void;
  /** The field was left: from now on it shows what is wrong. */
  leave(name: string): void;
  /** What the field shows as wrong. */
  issueOf(name: string): RuleIssue | null;
  /** Checks everything; the values to send, or null: all fields then show what is wrong. */
  check(): z.output<Schema> | null;
  /** Puts a refusal of the server on its fields. */
  refuse(error: CallError): void;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  ((one === null || one === undefined || one === "") &&
    (other === null || other === undefined || other === "")) ||
  JSON.stringify(one) === JSON.stringify(other);

/** What a refusal says of fields, without what they meanwhile have been changed to. */
interface Refused {
  readonly issues: readonly RuleIssue[];
  readonly failure: CallError | null;
}
const nothing: Refused = { issues: [], failure: null };

/**
 * State of a form whose rules are a schema of the contract. A field shows its mistake when it is
 * left, then checks with every key until it is right.
 * @param prepare turns the values into what is checked and sent: drops what no longer applies.
 */
export const useDraft = <Schema extends DraftSchema>(
  schema: Schema,
  initial: Partial<z.output<Schema>>,
  prepare?: (values: z.output<Schema>) => z.output<Schema>,
): Draft<Schema> => {
  const [start] = useState<Values>(() => ({ ...initial }));
  const [values, setValues] = useState<Values>(start);
  const [shown, setShown] = useState<ReadonlySet<string> | "all">(new Set<string>());
  const [refused, setRefused] = useState<Refused>(nothing);
  const fields = useRef(new Map<string, FieldProps>()).current;
  const sent = useMemo(
    () => (prepare ? prepare(values as z.output<Schema>) : values) as Values,
    [prepare, values],
  );
  const checked = useMemo(() => checkDraft(schema, sent), [schema, sent]);
  const issues = checked.ok ? [] : checked.issues;

  const set = useCallback((name: string, value: unknown) => {
    setValues((now) => ({ ...now, [name]: value }));
    setRefused((now) => ({
      failure: null,
      issues: now.issues.filter(({ path }) => path !== name && !path.startsWith(`${name}.`)),
    }));
  }, []);
  const leave = useCallback(
    (name: string) => setShown((now) => (now === "all" ? now : new Set([...now, name]))),
    [],
  );
  return {
    schema,
    values,
    changed: Object.keys(values).filter((name) => !isSame(values[name], start[name])),
    failure: refused.failure,
    fields,
    set,
    leave,
    issueOf: (name) =>
      issueOfField(refused.issues, name) ??
      (shown === "all" || shown.has(name) ? issueOfField(issues, name) : null),
    check: () => {
      setShown("all");
      return checked.ok ? (checked.value as z.output<Schema>) : null;
    },
    refuse: (error) => setRefused({ issues: error.issues, failure: error }),
  };
};

/** What the content of a form sees of it. */
export interface DraftAround extends Draft {
  /** It was submitted, and what came of it is not known yet. */
  readonly isSending: boolean;
  /** Resource, or "cpeConfig", whose fields these are. */
  readonly about?: string | undefined;
}

export const DraftContext = createContext<DraftAround | null>(null);

/** The form around a field. */
export const useDraftContext = (): DraftAround => {
  const context = useContext(DraftContext);
  if (!context) throw new Error("a field outside of a form");
  return context;
};
