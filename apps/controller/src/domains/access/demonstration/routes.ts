import {
  demonstrationLeave,
  demonstrationState,
} from "@weft/contract/domains/access/demonstration.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import type { FastifyInstance } from "fastify";
import { isWellKnown } from "#domains/access/session/public.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { firstPasswordHash } from "./store.ts";

/** User id 1 holds every permission (specification section 6); only this user may end it for all. */
const firstUser = 1;

const ended: Message = ["演示环境已结束", "the demonstration has ended"];
const weak: Message = [
  "管理员密码过于常见，请先修改密码",
  "the administrator's password is too common; change it first",
];

export function demonstrationRoutes(app: FastifyInstance): void {
  const { demonstration } = app.weft;
  mount(app, demonstrationState, async (_, { caller }) => ({
    active: demonstration !== null,
    mayLeave: demonstration !== null && caller.userId === firstUser,
  }));
  mount(app, demonstrationLeave, async (_, ctx) => {
    const { caller } = ctx;
    if (caller.userId !== firstUser) refuse("notFound");
    if (!demonstration) refuse("notAllowedNow", { reason: ended });
    const passwordHash = await firstPasswordHash(ctx, firstUser);
    // What is fine for a demonstration would be the entry to a network.
    if (await isWellKnown(passwordHash)) refuse("notAllowedNow", { reason: weak });
    const { enterpriseId } = caller;
    const values = { old: { active: true }, new: { active: false } };
    await ctx.audit({ resource: "demonstration", rowId: null, ...values, enterpriseId });
    await demonstration.leave(passwordHash);
    return null;
  });
}
