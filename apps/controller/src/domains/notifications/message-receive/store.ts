import {
  channelFields,
  channels,
  type SecretField,
  secretFields,
} from "@weft/contract/domains/notifications/channels.ts";
import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { sql } from "kysely";
import { enterprise } from "#domains/enterprises/public.ts";
import { keepSecrets, secretsOf } from "#domains/notifications/channel/public.ts";
import type { Context } from "#kernel/api.ts";
import type { Store, StoredRow } from "#kernel/resource-store.ts";
import { tableStore } from "#kernel/table-store.ts";
import type { Vault } from "#kernel/vault.ts";

type Draft = DraftOf<typeof messageReceive>;

const plain = tableStore(messageReceive, {
  table: "message_receiver",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    email: "email",
    emailFlag: "email_flag",
    phone: "phone",
    phoneFlag: "phone_flag",
    dingtalk: "dingtalk",
    dingtalkFlag: "dingtalk_flag",
    dingtalkSecret: null,
    wechat: "wechat",
    wechatFlag: "wechat_flag",
    feishu: "feishu",
    feishuFlag: "feishu_flag",
    feishuSecret: null,
    webhook: "webhook",
    webhookFlag: "webhook_flag",
    webhookSecret: null,
    language: "language",
    remark: "remark",
    createTime: "created_at",
  },
  owner: { enterprise: "groupid" },
  filters: { name: "contains", groupid: "equal" },
  constraints: {
    message_receiver_name: { field: "name" },
    alarm_strategy_receiver_known: { by: ["告警策略", "alarm policies"] },
  },
  names: { enterpriseName: enterprise("groupid") },
  async complete(ctx, rows) {
    const ids = rows.map(({ id }) => id);
    const [named, hasSecret] = await Promise.all([
      sql<{ id: number; strategies: string[] }>`
        select r.id, array(select s.name from alarm_strategy_receiver m
          join alarm_strategy s on s.id = m.strategy_id
          where m.receiver_id = r.id order by s.name) as strategies
        from unnest(${ids}::bigint[]) as r (id)`.execute(ctx.db),
      secretsOf(ctx, "receiver", ids),
    ]);
    const byId = new Map(named.rows.map(({ id, strategies }) => [id, strategies]));
    return ids.map((id) => ({
      strategies: byId.get(id) ?? [],
      hasDingtalkSecret: hasSecret(id, "dingtalkSecret"),
      hasFeishuSecret: hasSecret(id, "feishuSecret"),
      hasWebhookSecret: hasSecret(id, "webhookSecret"),
    }));
  },
});

/** A secret goes with its address: what has none is signed by nothing. @param isNew none is there to be removed */
function secretsIn(draft: Draft, isNew: boolean): Record<SecretField, string | null> {
  const entries = channels.flatMap((channel) => {
    const { address, secret } = channelFields[channel];
    if (secret === null) return [];
    return [[secret, draft[address] !== null ? draft[secret] : isNew ? "" : null]];
  });
  return Object.fromEntries(entries);
}

/** In the operation log, which redacts them: that a secret was set. */
const noted = (row: StoredRow, draft: Draft): StoredRow => ({
  ...row,
  new: row.new && {
    ...row.new,
    ...Object.fromEntries(
      secretFields
        .filter((secretField) => draft[secretField] !== "")
        .map((secretField) => [secretField, "set"]),
    ),
  },
});

/** Recipients, with the policies that notify them, and the secrets of their robots. */
export function messageReceiveStore(vault: Vault): Store<typeof messageReceive> {
  const written = async (ctx: Context, row: StoredRow, draft: Draft): Promise<StoredRow> => {
    await keepSecrets(ctx, vault, "receiver", row, secretsIn(draft, row.old === null));
    return noted(row, draft);
  };
  return {
    ...plain,
    add: async (ctx, draft) => written(ctx, await plain.add(ctx, draft), draft),
    edit: async (ctx, id, draft) => written(ctx, await plain.edit(ctx, id, draft), draft),
  };
}

/** One recipient, in the caller's scope. @throws Refusal notFound */
export const readRecipient = (ctx: Context, id: number) => plain.read(ctx, id);
