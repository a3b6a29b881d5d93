import {
  messageById,
  messageList,
  messageRead,
  messageReadAll,
  messageRemove,
  messageUnreadCount,
} from "@weft/contract/domains/notifications/message.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { countUnread, getOwn, listOwn, markRead, removeOwn } from "./store.ts";

// A user's own enterprise may lie outside the user's data scope (section 6: custom enterprises).
const ofCaller = {
  unscopedReason: "the caller's own messages only",
  personOnly: "a key receives no messages",
};
const acting = { ...ofCaller, unaudited: "the caller's own messages concern no one else" };

/** Station messages (specification section 2.3), each to one person. */
export function messageRoutes(app: FastifyInstance): void {
  mount(app, messageList, (query, ctx) => listOwn(ctx, query), ofCaller);
  mount(app, messageById, ({ id }, ctx) => getOwn(ctx, id), ofCaller);
  mount(app, messageUnreadCount, async (_, ctx) => ({ count: await countUnread(ctx) }), ofCaller);
  mount(
    app,
    messageRead,
    async ({ ids }, ctx) => {
      await markRead(ctx, ids);
      return null;
    },
    acting,
  );
  mount(
    app,
    messageReadAll,
    async (_, ctx) => {
      await markRead(ctx, null);
      return null;
    },
    acting,
  );
  mount(
    app,
    messageRemove,
    async ({ ids }, ctx) => {
      await removeOwn(ctx, ids);
      return null;
    },
    acting,
  );
}
