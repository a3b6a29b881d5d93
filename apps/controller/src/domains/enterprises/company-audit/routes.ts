import { companyAudit } from "@weft/contract/domains/enterprises/company-audit.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { companyAuditStore, requireJudge, stampJudgement } from "./store.ts";

/** Calls of /customer/comAudit (specification section 7.2). */
export function companyAuditRoutes(app: FastifyInstance): void {
  mountResource(app, companyAudit, companyAuditStore, {
    beforeWrite: requireJudge,
    afterWrite: async (ctx, row) => {
      if (row.new) await stampJudgement(ctx, row.id);
    },
  });
}
