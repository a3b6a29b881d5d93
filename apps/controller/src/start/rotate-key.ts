import { sql, type Transaction } from "kysely";
import type { Pools, RolePool } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { resealClientSecrets } from "#domains/access/identity-provider/public.ts";
import { resealTotp } from "#domains/access/session/public.ts";
import { resealChannelSecrets } from "#domains/notifications/channel/public.ts";
import { policySecretTables, resealPolicySecrets } from "#domains/policies/policy/public.ts";
import { resealIdentity } from "#gateway/identity.ts";
import { createVault, fingerprintOf, type Resealed } from "#kernel/vault.ts";
import { auditInstallation } from "./audit-installation.ts";

/** All that is under the key for secrets, by kind. */
const kinds = {
  identity: resealIdentity,
  authenticators: resealTotp,
  policies: resealPolicySecrets,
  channels: resealChannelSecrets,
  identityProviders: resealClientSecrets,
} as const;

export type Rotation = Readonly<Record<keyof typeof kinds, Resealed>>;

/**
 * Puts all secrets of a database under another key, in one transaction with the key's fingerprint
 * and a row of the operation log: whatever is cut short, everything is under one of the two keys, and
 * the fingerprint says under which. Both keys have to be kept elsewhere before.
 * @returns null: the database is under no key yet, or under the new one already
 * @throws Error for the operator: other processes work on the database, or it is under a third key
 */
export async function rotateKey(
  pools: Pools<Database>,
  from: Buffer,
  to: Buffer,
): Promise<Rotation | null> {
  const rotation = await pools.owner.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ hash: string | null }>`
      select secret_key_hash as hash from installation for update`.execute(trx);
    const hash = rows[0]?.hash ?? null;
    if (hash === null) return null;
    if (hash === fingerprintOf(to)) return "done before";
    if (hash !== fingerprintOf(from)) {
      throw new Error(
        "The secrets of the database are encrypted with a key other than the previous one.",
      );
    }
    await refuseBesideOthers(trx, pools);
    const vaults = [createVault(from), createVault(to)] as const;
    const done = {
      identity: await kinds.identity(trx, ...vaults),
      authenticators: await kinds.authenticators(trx, ...vaults),
      policies: await kinds.policies(trx, ...vaults),
      channels: await kinds.channels(trx, ...vaults),
      identityProviders: await kinds.identityProviders(trx, ...vaults),
    };
    await sql`update installation set secret_key_hash = ${fingerprintOf(to)}`.execute(trx);
    // Of the keys their fingerprints: they say nothing about them.
    await auditInstallation(trx, "installation.rotateKey", {
      old: { fingerprint: hash },
      new: { fingerprint: fingerprintOf(to), ...done },
    });
    return done;
  });
  // Values under the old key are still in dead rows: with that key they could be read from the files. An
  // earlier change may have been cut short before this.
  if (rotation) await rewriteTables(pools.owner);
  return rotation === "done before" ? null : rotation;
}

/** How long connections of a process that just ended may take to go. */
const patienceMs = 5_000;

/** A process with the old key would go on writing secrets under it, and they could not be read again. */
async function refuseBesideOthers(trx: Transaction<Database>, pools: Pools<Database>) {
  const names = [pools.owner, pools.api, pools.apiAll, pools.worker, pools.gateway].map(
    ({ name }) => name,
  );
  const until = Date.now() + patienceMs;
  while (true) {
    // Within one transaction the view would not change otherwise.
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n, pg_stat_clear_snapshot() from pg_stat_activity
      where datname = current_database() and usename = any(${names}::text[])
        and pid <> pg_backend_pid()`.execute(trx);
    if (rows[0]?.n === 0) return;
    if (Date.now() > until) {
      throw new Error(
        `Other processes of Weft work on this database (${rows[0]?.n} connections): end them before ` +
          "the key for secrets is changed, and start them with the new key.",
      );
    }
    await sql`select pg_sleep(0.1)`.execute(trx);
  }
}

async function rewriteTables(owner: RolePool<Database>): Promise<void> {
  for (const table of [
    "installation",
    "totp",
    "channel_secret",
    "identity_provider",
    ...policySecretTables,
  ]) {
    await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(owner.db);
  }
}
