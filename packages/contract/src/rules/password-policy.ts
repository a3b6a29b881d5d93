import { type PasswordPolicy, passwordPolicies } from "#domains/access/enums.ts";
import type { RuleCode, RuleParams } from "#kernel/rule.ts";
import { isWeakPassword } from "./weak-password.ts";

/** Lengths in code points. `spec` is section 5; a long password has the limit of NIST SP 800-63B. */
export const passwordLengths = {
  spec: { min: 5, max: 12 },
  "8+MFA": { min: 8, max: 64 },
  "15+": { min: 15, max: 64 },
} as const satisfies Record<PasswordPolicy, { min: number; max: number }>;

/** What any policy lets pass: what a call takes before it knows whose password it is. */
export const anyLength = { min: 5, max: 64 } as const;

/** Code points, none of them white space. */
export const isPasswordOf = (
  value: string,
  { min, max }: { min: number; max: number },
): boolean => {
  const length = [...value].length;
  return length >= min && length <= max && !/\s/u.test(value);
};

/**
 * Policies that refuse what guessing tries early. `spec` takes all that section 5 takes, and warns of it.
 */
const refusesWeak = {
  spec: false,
  "8+MFA": true,
  "15+": true,
} as const satisfies Record<PasswordPolicy, boolean>;

/**
 * The rule that a new password breaks under a policy, or null: the same for form and API.
 * @param ownWords what others know of the person: login name, name, phone number.
 */
export function passwordIssue(
  policy: PasswordPolicy,
  password: string,
  ownWords: readonly string[],
): { rule: RuleCode; params: RuleParams } | null {
  const lengths = passwordLengths[policy];
  if (!isPasswordOf(password, lengths)) return { rule: "password", params: lengths };
  return refusesWeak[policy] && isWeakPassword(password, ownWords)
    ? { rule: "weakPassword", params: {} }
    : null;
}

/** The strictest of some policies: a subordinate may ask for more than its parents, never for less. */
export const strictestOf = (policies: readonly PasswordPolicy[]): PasswordPolicy =>
  passwordPolicies.findLast((passwordPolicy) => policies.includes(passwordPolicy)) ?? "spec";
