import { sql } from "kysely";
import { inScope, type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Context, RequestFacts } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { peopleAt, type Reached, type StoredCode, useCode } from "./code-store.ts";
import { recordByCode, revokeKeysOf } from "./made-keys.ts";
import { notifyUser } from "./notices.ts";
import { requirePassword } from "./policy-store.ts";

const beforeScope = { kind: "all" } as const;

/** Accounts that a code of a recovery reaches. */
export const accountsOf = (pools: Pools<Database>, code: StoredCode): Promise<Reached[]> =>
  scopedRead(pools.auth, beforeScope, (trx) =>
    peopleAt(trx, code.purpose, code.target, code.created_at),
  );

interface Recovery {
  readonly codeId: number;
  readonly account: Reached;
  readonly newPsw: string;
  readonly passwordHash: string;
}

/** Uses the code up, sets the password, ends all sessions and leaves an audit row, or none of it. */
export function finishRecovery(
  pools: Pools<Database>,
  { address, requestId }: RequestFacts,
  { codeId, account, newPsw, passwordHash }: Recovery,
  warn: Context["warn"],
): Promise<void> {
  const { id, enterprise_id: enterpriseId, login_name, name, phone } = account;
  return inScope(pools.auth, { ...beforeScope, userId: id }, async (trx) => {
    await requirePassword({ db: trx, warn }, "newPsw", newPsw, {
      enterpriseId,
      own: [login_name, name, phone],
    });
    if (!(await useCode(trx, codeId))) refuse("badCode");
    await trx
      .updateTable("sys_user")
      .set({ password_hash: passwordHash, updated_at: sql`now()` })
      .where("id", "=", id)
      .execute();
    await trx.deleteFrom("session").where("user_id", "=", id).execute();
    const revoked = await revokeKeysOf(trx, id);
    await notifyUser(trx, { userId: id, enterpriseId }, "recovered", address);
    const by = {
      user_id: id,
      login_name,
      address,
      action: "auth.resetPassword",
      request_id: requestId,
    };
    const reset = {
      resource: "user",
      rowId: id,
      enterpriseId,
      old: null,
      new: { newPsw: "[redacted]" },
    };
    await recordByCode(trx, by, reset, revoked);
  });
}
