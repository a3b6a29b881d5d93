import { z } from "zod";
import { everySession } from "#contract/access.ts";
import { messageStatuses, messageTypes } from "#domains/access/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";

/** A station message to the caller, in the reader's language. */
const message = z.object({
  id: z.number(),
  title: z.string(),
  content: z.string(),
  type: codec.code(messageTypes),
  status: codec.code(messageStatuses),
  userId: z.number(),
  /** Screen that it is about; empty: none. */
  link: z.string(),
  createTime: codec.instant,
  readTime: codec.instant.nullable(),
});

/** The caller's messages, newest first. */
export const messageList = pagedEndpoint({
  id: "message.list",
  method: "GET",
  path: "/customer/message/list",
  input: z.object({
    status: codec.orNull(codec.code(messageStatuses)),
    type: codec.orNull(codec.code(messageTypes)),
    ...pageFields,
  }),
  output: message,
  may: everySession("the caller's own messages"),
});

export const messageById = endpoint({
  id: "message.getById",
  method: "GET",
  path: "/customer/message/getById",
  input: z.object({ id: codec.id }),
  output: message,
  may: everySession("the caller's own messages"),
});

export const messageUnreadCount = endpoint({
  id: "message.unreadCount",
  method: "GET",
  path: "/customer/message/unreadCount",
  input: z.object({}),
  output: z.object({ count: z.number() }),
  may: everySession("the caller's own messages"),
});

export const messageRead = endpoint({
  id: "message.read",
  method: "POST",
  path: "/customer/message/read",
  input: z.object({ ids: codec.someIds }),
  output: nothing,
  may: everySession("the caller's own messages"),
});

export const messageReadAll = endpoint({
  id: "message.readAll",
  method: "POST",
  path: "/customer/message/readAll",
  input: z.object({}),
  output: nothing,
  may: everySession("the caller's own messages"),
});

export const messageRemove = endpoint({
  id: "message.remove",
  method: "POST",
  path: "/customer/message/remove",
  input: z.object({ ids: codec.someIds }),
  output: nothing,
  may: everySession("the caller's own messages"),
});
