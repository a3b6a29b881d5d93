import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Resealed, Vault } from "#kernel/vault.ts";

/** Whose secret a sealed value is: it opens for its own row only. */
export const secretOf = (providerId: number): string => `identity provider ${providerId}`;

/** Puts all client secrets under another key. @param trx of the owner */
export async function resealClientSecrets(
  trx: Transaction<Database>,
  from: Vault,
  to: Vault,
): Promise<Resealed> {
  let [moved, unreadable] = [0, 0];
  const rows = await trx
    .selectFrom("identity_provider")
    .select(["id", "client_secret"])
    .where("client_secret", "is not", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const { id, client_secret: sealed } of rows) {
    const secret = sealed && from.open(sealed, secretOf(id));
    if (secret === null) {
      unreadable += 1;
      continue;
    }
    await trx
      .updateTable("identity_provider")
      .set({ client_secret: to.seal(secret, secretOf(id)) })
      .where("id", "=", id)
      .execute();
    moved += 1;
  }
  return { moved, unreadable };
}
