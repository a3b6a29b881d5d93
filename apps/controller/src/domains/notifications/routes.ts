import type { FastifyInstance } from "fastify";
import { alarmRoutes } from "./alarm/routes.ts";
import { messageRoutes } from "./message/routes.ts";
import { noticeRoutes } from "./notice/routes.ts";

/** Every feature of this domain: a feature mounts nothing until its line is here. */
export const routes: readonly ((app: FastifyInstance) => void)[] = [
  messageRoutes,
  noticeRoutes,
  alarmRoutes,
];
