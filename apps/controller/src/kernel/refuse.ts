import type { ErrorCode } from "@weft/contract/errors.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import type { RuleCode, RuleIssue, RuleParams } from "@weft/contract/kernel/rule.ts";

/** Fill the placeholders of an error's text; a Message is filled in the reader's language. */
export type ErrorParams = Readonly<Record<string, string | number | Message>>;

/** An expected failure. The call's transaction is rolled back and the caller gets the reason. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;
  readonly issues: readonly RuleIssue[];
  /** What the caller needs to go on, in wire form; null: nothing. */
  readonly data: object | null;

  constructor(
    code: ErrorCode,
    params: ErrorParams,
    issues: readonly RuleIssue[],
    data: object | null = null,
  ) {
    super(code);
    this.name = "Refusal";
    this.code = code;
    this.params = params;
    this.issues = issues;
    this.data = data;
  }
}

/**
 * Ends the call with an expected failure. `params` fill the placeholders of the error's text
 * (contract errors.ts). "Not yours" and "not there" are both `notFound`.
 */
export function refuse(code: Exclude<ErrorCode, "badInput">, params: ErrorParams = {}): never {
  throw new Refusal(code, params, []);
}

/** Ends the call: the field broke a rule that only rows can decide; shown at that field. */
export function refuseField(path: string, rule: RuleCode, params: RuleParams = {}): never {
  throw new Refusal("badInput", {}, [{ path, rule, params }]);
}

/** Ends the call with several broken rules at once. */
export function refuseFields(issues: readonly RuleIssue[]): never {
  throw new Refusal("badInput", {}, issues);
}
