import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { alarmRoutes } from "./alarm/routes.ts";
import { messageRoutes } from "./message/routes.ts";
import { messageReceiveStore } from "./message-receive/store.ts";
import { noticeRoutes } from "./notice/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  messageRoutes,
  noticeRoutes,
  alarmRoutes,
  (app) => mountResource(app, messageReceive, messageReceiveStore),
];
