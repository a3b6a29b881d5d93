import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseFields } from "#kernel/refuse.ts";
import { noticeIssue } from "./rules.ts";
import { networksOfPeers, routeNoticeStore } from "./store.ts";

/** Calls of /customer/routeNotice (specification section 2.3). */
export function routeNoticeRoutes(app: FastifyInstance): void {
  mountResource(app, routeNotice, routeNoticeStore, {
    async beforeWrite(ctx, { cpeId, network, enable }) {
      if (!enable) return;
      const issue = noticeIssue(network, await networksOfPeers(ctx, cpeId));
      if (issue) refuseFields([issue]);
    },
  });
}
