import { scopedRead } from "#db/pool.ts";
import type { Api, Caller } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { passwordFits } from "./password.ts";
import { accountLaw, secondsToWait } from "./rules.ts";

/** Failures by user; this process alone counts, as it only has to make guessing slow. */
const failures = new Map<number, { failed: number; at: number }>();
const maxUsers = 10_000;

/**
 * Asks the caller's own login password once more, before something that stops a site.
 * @throws Refusal wrongPassword, or tooManyTries after several wrong ones
 */
export async function admitPassword(
  pools: Api["pools"],
  { userId }: Caller,
  password: string,
): Promise<void> {
  const last = failures.get(userId) ?? { failed: 0, at: 0 };
  const secondsAgo = last.failed === 0 ? null : (performance.now() - last.at) / 1_000;
  const seconds = secondsToWait({ failed: last.failed, secondsAgo }, accountLaw);
  if (seconds > 0) refuse("tooManyTries", { seconds });
  // A user's own account may lie outside the user's data scope.
  const account = await scopedRead(pools.auth, { kind: "all", userId }, (db) =>
    db.selectFrom("sys_user").select("password_hash").where("id", "=", userId).executeTakeFirst(),
  );
  if (await passwordFits(account?.password_hash ?? null, password)) {
    failures.delete(userId);
    return;
  }
  failures.delete(userId);
  failures.set(userId, { failed: last.failed + 1, at: performance.now() });
  const [oldest] = failures.keys();
  if (failures.size > maxUsers && oldest !== undefined) failures.delete(oldest);
  refuse("wrongPassword");
}
