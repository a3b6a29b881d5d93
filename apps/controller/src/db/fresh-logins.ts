import { withClient } from "./embedded/login.ts";
import type { Pools } from "./pool.ts";
import { roleKeys } from "./role-logins.ts";

/** Readiness is asked for every few seconds, by several watchers: one round of logins serves all. */
const validMs = 2_000;

/**
 * Whether every role can still log in. Connections that are open prove nothing: they outlive a
 * changed password, a role that was removed, and a server that takes no more.
 * @returns a check that throws the first login's error
 */
export function createLoginCheck<DB>(pools: Pools<DB>): () => Promise<boolean> {
  let round: Promise<boolean> | undefined;
  let since = 0;
  return () => {
    if (round && Date.now() - since < validMs) return round;
    since = Date.now();
    const current = logInAll(pools);
    round = current;
    // A failed check is repeated on the next request.
    current.catch(() => {
      if (round === current) round = undefined;
    });
    return current;
  };
}

async function logInAll<DB>(pools: Pools<DB>): Promise<boolean> {
  await Promise.all(
    roleKeys.map((key) =>
      withClient(pools[key].pg.options.connectionString ?? "", (client) =>
        client.query("select 1"),
      ),
    ),
  );
  return true;
}
