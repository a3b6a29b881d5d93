import { companyAudit } from "@weft/contract/domains/enterprises/company-audit.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { companyAuditStore, recordReview, requireReviewer } from "./store.ts";

/** Calls of /customer/comAudit (specification section 7.2). */
export function companyAuditRoutes(app: FastifyInstance): void {
  mountResource(app, companyAudit, companyAuditStore, {
    beforeWrite: requireReviewer,
    afterWrite: async (ctx, row) => {
      if (row.new) await recordReview(ctx, row.id);
    },
  });
}
