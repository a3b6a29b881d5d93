/**
 * Secrets that sign messages to recipients and webhooks, sealed under the installation's key. A sealed value
 * opens for its own row and field only.
 */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { type Resealed, resealAll, type Vault } from "#kernel/vault.ts";

type Trx = Transaction<Database>;

/** Whose secrets they are. */
export type SecretOwner = "receiver" | "webhook";

const columnOf = (owner: SecretOwner) => `${owner}_id` as const;
const textOf = (owner: SecretOwner, id: number, field: string): string =>
  `channel secret: ${owner} ${id} ${field}`;

/** The row that secrets belong to. */
export interface SecretRow {
  readonly id: number;
  readonly enterpriseId: number;
}

/**
 * Keeps secrets of a row.
 * @param given field -> secret; empty: the one that is there stays; null: it is removed
 */
export async function keepSecrets(
  { db }: Pick<Context, "db">,
  vault: Vault,
  owner: SecretOwner,
  { id, enterpriseId }: SecretRow,
  given: Readonly<Record<string, string | null>>,
): Promise<void> {
  const column = columnOf(owner);
  const gone = Object.keys(given).filter((field) => given[field] === null);
  if (gone.length > 0) {
    await db
      .deleteFrom("channel_secret")
      .where(column, "=", id)
      .where("field", "in", gone)
      .execute();
  }
  const set = Object.entries(given).flatMap(([field, secret]) =>
    secret ? [{ field, sealed: vault.seal(secret, textOf(owner, id, field)) }] : [],
  );
  if (set.length === 0) return;
  await db
    .insertInto("channel_secret")
    .values(set.map((secret) => ({ ...secret, enterprise_id: enterpriseId, [column]: id })))
    .onConflict((on) => on.columns([column, "field"]).doUpdateSet({ sealed: sql`excluded.sealed` }))
    .execute();
}

/** Which secrets rows have. @returns a test of row and field */
export async function secretsOf(
  { db }: Pick<Context, "db">,
  owner: SecretOwner,
  ids: readonly number[],
): Promise<(id: number, field: string) => boolean> {
  const column = columnOf(owner);
  const rows = await db
    .selectFrom("channel_secret")
    .select([column, "field"])
    .where(sql<boolean>`${sql.ref(column)} = any(${[...ids]}::bigint[])`)
    .execute();
  const set = new Set(
    rows.map((row) => `${(row as Record<string, unknown>)[column]} ${row.field}`),
  );
  return (id, field) => set.has(`${id} ${field}`);
}

/** A secret for a signature. @returns null: none is set. @throws Error: it is under another key */
export async function openSecret(
  db: Pick<Trx, "selectFrom">,
  vault: Vault,
  owner: SecretOwner,
  id: number,
  field: string,
): Promise<string | null> {
  const row = await db
    .selectFrom("channel_secret")
    .select("sealed")
    .where(columnOf(owner), "=", id)
    .where("field", "=", field)
    .executeTakeFirst();
  if (!row) return null;
  const secret = vault.open(row.sealed, textOf(owner, id, field));
  if (secret === null) throw new Error("the secret cannot be read with the key for secrets");
  return secret;
}

/** Puts all secrets of recipients and webhooks under another key. @param trx of the owner */
export async function resealChannelSecrets(trx: Trx, from: Vault, to: Vault): Promise<Resealed> {
  const rows = await trx
    .selectFrom("channel_secret")
    .select(["id", "receiver_id", "webhook_id", "field", "sealed"])
    .orderBy("id")
    .forUpdate()
    .execute();
  const values = rows.map(({ id, receiver_id, webhook_id, field, sealed }) => ({
    sealed,
    of:
      receiver_id === null
        ? textOf("webhook", webhook_id ?? 0, field)
        : textOf("receiver", receiver_id, field),
    store: (resealed: Buffer) =>
      trx.updateTable("channel_secret").set({ sealed: resealed }).where("id", "=", id).execute(),
  }));
  return resealAll(values, from, to);
}
