import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { type Resealed, resealAll, type Vault } from "#kernel/vault.ts";

/** Whose secret a sealed value is: it opens for its own row only. */
export const secretOf = (providerId: number): string => `identity provider ${providerId}`;

/** Puts all client secrets under another key. @param trx of the owner */
export async function resealClientSecrets(
  trx: Transaction<Database>,
  from: Vault,
  to: Vault,
): Promise<Resealed> {
  const rows = await trx
    .selectFrom("identity_provider")
    .select(["id", "client_secret"])
    .where("client_secret", "is not", null)
    .$narrowType<{ client_secret: Buffer }>()
    .orderBy("id")
    .forUpdate()
    .execute();
  const values = rows.map(({ id, client_secret: sealed }) => ({
    sealed,
    of: secretOf(id),
    store: (resealed: Buffer) =>
      trx
        .updateTable("identity_provider")
        .set({ client_secret: resealed })
        .where("id", "=", id)
        .execute(),
  }));
  return resealAll(values, from, to);
}
