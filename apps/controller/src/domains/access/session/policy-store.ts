import type { PasswordPolicy } from "@weft/contract/domains/access/enums.ts";
import { passwordIssue, strictestOf } from "@weft/contract/rules/password-policy.ts";
import { isWeakPassword } from "@weft/contract/rules/weak-password.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";

/** What new passwords of an enterprise's users must be: the strictest of its own and all above. */
export async function passwordPolicyOf(
  ctx: Pick<Context, "db">,
  enterpriseId: number,
): Promise<PasswordPolicy> {
  const { rows } = await sql<{ policies: PasswordPolicy[] }>`
    select weft.password_policies(${enterpriseId}) as policies`.execute(ctx.db);
  return strictestOf(rows[0]?.policies ?? []);
}

/** Whose password it is to be, and what others know of that person. */
interface Owner {
  readonly enterpriseId: number;
  readonly own: readonly (string | null)[];
}

/** Ends the call when a new password breaks its enterprise's policy; shown at the field. Warns of what is easy to guess. */
export async function requirePassword(
  ctx: Pick<Context, "db" | "warn">,
  field: string,
  password: string,
  { enterpriseId, own }: Owner,
): Promise<void> {
  const policy = await passwordPolicyOf(ctx, enterpriseId);
  const known = own.filter((one) => one !== null);
  const issue = passwordIssue(policy, password, known);
  if (issue) refuseField(field, issue.rule, issue.params);
  if (isWeakPassword(password, known)) {
    ctx.warn({ path: field, warning: "weakPassword", params: {} });
  }
}
