import * as calls from "@weft/contract/domains/policies/policy-finding.ts";
import type { FastifyInstance } from "fastify";
import { owners } from "#domains/policies/policy/public.ts";
import { mount } from "#kernel/mount.ts";
import { ownerIn } from "#kernel/row-owner.ts";
import {
  summarizeBlacklist,
  summarizeCircuits,
  summarizeGroups,
  summarizeOnNode,
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
  mount(app, calls.aclSummary, ({ ids }, ctx) =>
    summarizeOnNode(ctx, { name: "xaclrules", table: "acl_rule" }, ids),
  );
  mount(app, calls.reservationSummary, ({ ids }, ctx) =>
    summarizeOnNode(ctx, { name: "dhcpReservation", table: "dhcp_reservation" }, ids),
  );
  mount(app, calls.blacklistSummary, ({ ids }, ctx) => summarizeBlacklist(ctx, ids));
  mount(app, calls.circuitSummary, ({ ids }, ctx) => summarizeCircuits(ctx, ids));
  mount(app, calls.cugSummary, ({ ids }, ctx) => summarizeGroups(ctx, ids));
  mount(app, calls.nodeFindings, ({ page, limit, ...owner }, ctx) =>
    listNodeFindings(ctx, ownerIn(owners.manage, owner), { page, limit }),
  );
}
