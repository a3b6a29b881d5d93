import { expireDevice } from "@weft/contract/domains/notifications/notice.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { expiringAccounts, expiringNodes } from "./store.ts";

/** The rows that a permission opens; none without it. */
const ifMay = <Row>(
  ctx: HandlerContext,
  code: Permission,
  read: () => Promise<Row[]>,
): Promise<Row[]> => (ctx.caller.authorities.includes(code) ? read() : Promise.resolve([]));

/** Expiry notices of the header (specification section 2.6). */
export function noticeRoutes(app: FastifyInstance): void {
  mount(app, expireDevice, async (_, ctx) => {
    const [cpes, pops, clients] = await Promise.all([
      ifMay(ctx, "cpeAlarmMsg", () => expiringNodes(ctx, "cpe")),
      ifMay(ctx, "popAlarmMsg", () => expiringNodes(ctx, "pop")),
      ifMay(ctx, "clientAlarmMsg", () => expiringAccounts(ctx)),
    ]);
    return {
      cpeList: cpes.map(({ id, name, expire_at }) => ({ id, alias: name, expireTime: expire_at })),
      popList: pops.map(({ id, name, expire_at }) => ({ id, name, expireTime: expire_at })),
      clientList: clients.map(({ id, name, expire_at }) => ({
        id,
        alias: name,
        account: { expire: expire_at },
      })),
    };
  });
}
