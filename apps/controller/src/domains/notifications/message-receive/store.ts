import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import { sql } from "kysely";
import { enterprise } from "#domains/enterprises/public.ts";
import { tableStore } from "#kernel/table-store.ts";

/** Recipients, with the policies that notify them. */
export const messageReceiveStore = tableStore(messageReceive, {
  table: "message_receiver",
  columns: {
    id: "id",
    name: "name",
    groupid: "enterprise_id",
    email: "email",
    emailFlag: "email_flag",
    phone: "phone",
    phoneFlag: "phone_flag",
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
    const named = await sql<{ id: number; strategies: string[] }>`
        select r.id, array(select s.name from alarm_strategy_receiver m
          join alarm_strategy s on s.id = m.strategy_id
          where m.receiver_id = r.id order by s.name) as strategies
        from unnest(${rows.map(({ id }) => id)}::bigint[]) as r (id)`.execute(ctx.db);
    const byId = new Map(named.rows.map(({ id, strategies }) => [id, strategies]));
    return rows.map(({ id }) => ({ strategies: byId.get(id) ?? [] }));
  },
});
