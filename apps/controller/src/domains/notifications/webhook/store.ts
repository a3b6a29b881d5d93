import { webhook } from "@weft/contract/domains/notifications/webhook.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import { enterprise } from "#domains/enterprises/public.ts";
import { keepSecrets, secretsOf } from "#domains/notifications/channel/public.ts";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import type { Store, StoredRow } from "#kernel/resource-store.ts";
import { tableStore } from "#kernel/table-store.ts";
import type { Vault } from "#kernel/vault.ts";

type Draft = DraftOf<typeof webhook>;
type Last = Pick<RowOf<typeof webhook>, "lastState" | "lastTime">;

/** The field whose secret it is. */
const secretField = "secret";

const plain = tableStore(webhook, {
  table: "webhook",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    url: "url",
    secret: null,
    events: "events",
    below: "below",
    enable: "enabled",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", groupid: "equal" },
  constraints: { webhook_name: { field: "name" } },
  names: { enterpriseName: enterprise("groupid") },
  async complete(ctx, rows) {
    const ids = rows.map(({ id }) => id);
    const [last, hasSecret] = await Promise.all([lastOf(ctx, ids), secretsOf(ctx, "webhook", ids)]);
    return ids.map((id) => ({ ...last(id), hasSecret: hasSecret(id, secretField) }));
  },
});

async function lastOf({ db }: Context, ids: readonly number[]): Promise<(id: number) => Last> {
  const { rows } = await sql<Last & { id: number }>`
    select w.id, o.state as "lastState", o.created_at as "lastTime"
    from unnest(${[...ids]}::bigint[]) as w (id) cross join lateral (
      select state, created_at from outbox where webhook_id = w.id order by id desc limit 1) o`.execute(
    db,
  );
  const byId = new Map(rows.map(({ id, ...last }) => [id, last]));
  return (id) => byId.get(id) ?? { lastState: null, lastTime: null };
}

/** Webhooks, with the latest of their deliveries. */
export function webhookStore(vault: Vault): Store<typeof webhook> {
  const written = async (ctx: Context, row: StoredRow, draft: Draft): Promise<StoredRow> => {
    await keepSecrets(ctx, vault, "webhook", row, { [secretField]: draft.secret });
    // The operation log redacts it, and says that it was set.
    return draft.secret === "" ? row : { ...row, new: row.new && { ...row.new, secret: "set" } };
  };
  return {
    ...plain,
    async add(ctx, draft) {
      if (draft.secret === "") refuseField("secret", "required");
      return written(ctx, await plain.add(ctx, draft), draft);
    },
    edit: async (ctx, id, draft) => written(ctx, await plain.edit(ctx, id, draft), draft),
  };
}

/** One webhook, in the caller's scope. @throws Refusal notFound */
export const readWebhook = (ctx: Context, id: number) => plain.read(ctx, id);
