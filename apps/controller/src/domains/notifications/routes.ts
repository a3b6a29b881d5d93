import { alarmWindow } from "@weft/contract/domains/notifications/alarm-window.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { alarmRoutes } from "./alarm/routes.ts";
import { alarmWindowStore } from "./alarm-window/store.ts";
import { messageRoutes } from "./message/routes.ts";
import { messageReceiveRoutes } from "./message-receive/routes.ts";
import { noticeRoutes } from "./notice/routes.ts";
import { webhookRoutes } from "./webhook/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  messageRoutes,
  noticeRoutes,
  alarmRoutes,
  (app) => mountResource(app, alarmWindow, alarmWindowStore),
  messageReceiveRoutes,
  webhookRoutes,
];
