import * as calls from "@weft/contract/domains/policies/policy-finding.ts";
import type { FastifyInstance } from "fastify";
import { owners } from "#domains/policies/policy/public.ts";
import { mount } from "#kernel/mount.ts";
import { ownerIn } from "#kernel/row-owner.ts";
import {
  summarizeAcl,
  summarizeBlacklist,
  summarizeCircuits,
  summarizeGroups,
  summarizeReservations,
} from "./site-summary.ts";
import { listCapabilities, listNodeFindings, summarizeNode, summarizeTemplate } from "./store.ts";

export function policyFindingRoutes(app: FastifyInstance): void {
  mount(app, calls.templateSummary, ({ templateId, family, ids }, ctx) =>
    summarizeTemplate(ctx, templateId, family, ids),
  );
  mount(app, calls.templateCapabilities, ({ templateId }, ctx) =>
    listCapabilities(ctx, templateId),
  );
  mount(app, calls.nodeSummary, ({ family, ids, ...owner }, ctx) =>
    summarizeNode(ctx, ownerIn(owners.manage, owner), family, ids),
  );
  mount(app, calls.aclSummary, ({ ids }, ctx) => summarizeAcl(ctx, ids));
  mount(app, calls.reservationSummary, ({ ids }, ctx) => summarizeReservations(ctx, ids));
  mount(app, calls.blacklistSummary, ({ ids }, ctx) => summarizeBlacklist(ctx, ids));
  mount(app, calls.circuitSummary, ({ ids }, ctx) => summarizeCircuits(ctx, ids));
  mount(app, calls.cugSummary, ({ ids }, ctx) => summarizeGroups(ctx, ids));
  mount(app, calls.nodeFindings, ({ page, limit, ...owner }, ctx) =>
    listNodeFindings(ctx, ownerIn(owners.manage, owner), { page, limit }),
  );
}
