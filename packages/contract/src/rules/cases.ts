/** Runs a file of the shape of spec/validators.json against the rules and says what differs. */
import { conversions, validators } from "#rules/registry.ts";

export interface Case {
  readonly input?: unknown;
  readonly inputAbsent?: boolean;
  readonly output?: unknown;
  readonly notOutput?: unknown;
  readonly error?: string | readonly string[];
  readonly resolution?: string;
}

export interface CaseList {
  readonly id: string;
  readonly kind: "validator" | "conversion";
  readonly valid: readonly Case[];
  readonly invalid: readonly Case[];
  readonly ambiguous?: readonly Case[];
}

const same = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const sorted = (value: unknown): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** What is wrong with one case; null: nothing. */
export const evaluateCase = (
  list: CaseList,
  testCase: Case,
  group: "valid" | "invalid",
): string | null => {
  const input = testCase.inputAbsent ? undefined : testCase.input;
  const shown = `${list.id} ${JSON.stringify(input)}`;
  if (list.kind === "conversion") {
    const convert = conversions[list.id];
    if (!convert) return `${list.id}: no such conversion`;
    const output = convert(input);
    if (group === "valid" && !same(output, testCase.output))
      return `${shown} gave ${JSON.stringify(output)}`;
    return group === "invalid" && same(output, testCase.notOutput)
      ? `${shown} gave what it must not`
      : null;
  }
  const check = validators[list.id];
  if (!check) return `${list.id}: no such validator`;
  const verdict = check(input);
  if ((verdict === true) !== (group === "valid"))
    return `${shown} was ${verdict === true ? "accepted" : "refused"}`;
  const expected = typeof testCase.error === "string" ? [testCase.error] : testCase.error;
  if (verdict === true || !expected || same(verdict, expected)) return null;
  return `${shown} gave ${JSON.stringify(verdict)}, not ${JSON.stringify(expected)}`;
};
