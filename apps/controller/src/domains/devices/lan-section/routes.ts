import {
  lanSection,
  lanSectionEnableDirect,
  lanSectionEnableForward,
} from "@weft/contract/domains/devices/lan-section.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { holds } from "@weft/contract/permissions.ts";
import type { FastifyInstance } from "fastify";
import { siteCollisions } from "#domains/devices/public.ts";
import { missingPermission } from "#kernel/answer.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseField, refuseFields } from "#kernel/refuse.ts";
import { type Networks, overlapIssues } from "./rules.ts";
import { lanSectionStore, ownNetworks, sectionsOf, setSwitch, switchesOf } from "./store.ts";

/** What a segment shares addresses with: the node's own networks, and those of its space. */
async function overlapsOf(
  ctx: HandlerContext,
  nodeId: number,
  section: Networks,
  id: number | null,
): Promise<RuleIssue[]> {
  const networks = [section.network, section.network6 ?? ""];
  const drafted = networks.map((network) => ({ network, kind: "lan" as const }));
  const [own, far] = await Promise.all([
    ownNetworks(ctx, nodeId, id),
    siteCollisions(ctx, nodeId, drafted),
  ]);
  return overlapIssues(section, [...own, ...far]);
}

/** A segment that enters the space again must not overlap what is there by now. */
async function refuseOverlap(
  ctx: HandlerContext,
  nodeId: number,
  ids: readonly number[],
): Promise<void> {
  for (const section of await sectionsOf(ctx, nodeId, ids)) {
    const issues = await overlapsOf(ctx, nodeId, section, section.id);
    if (issues[0]) refuseField("ids", issues[0].rule, issues[0].params);
  }
}

async function flip(
  ctx: HandlerContext,
  nodeId: number,
  ids: readonly number[],
  field: "enableForward" | "enableDirect",
  on: boolean,
): Promise<null> {
  const column = field === "enableForward" ? "enable_forward" : "enable_direct";
  if (on && field === "enableForward") await refuseOverlap(ctx, nodeId, ids);
  const { enterpriseId, rows } = await setSwitch(ctx, nodeId, ids, column, on);
  for (const { id, old } of rows) {
    const values = { old: { [field]: old }, new: { [field]: on } };
    await ctx.audit({ resource: lanSection.name, rowId: id, enterpriseId, ...values });
  }
  await ctx.change({ enterpriseId, nodeIds: [nodeId] });
  return null;
}

/** The switches have permissions of their own: editing a section does not get round them. */
async function refuseFlips(ctx: HandlerContext, id: number, draft: DraftOf<typeof lanSection>) {
  const switches = [
    ["enableForward", "lansectionEnableForward"],
    ["enableDirect", "lansectionEnableRedirect"],
    // Both decide how its hosts reach the internet.
    ["enableCentral", "lansectionEnableRedirect"],
  ] as const;
  if (switches.every(([, permission]) => holds(ctx.caller, permission))) return;
  const now = await switchesOf(ctx, id);
  for (const [field, permission] of switches) {
    const isFlipped = now !== null && now[field] !== draft[field];
    if (isFlipped && !holds(ctx.caller, permission)) throw missingPermission(permission);
  }
}

/** Networks behind CPEs. */
export function lanSectionRoutes(app: FastifyInstance): void {
  mountResource(app, lanSection, lanSectionStore, {
    async beforeWrite(ctx, draft, id) {
      if (id !== null) await refuseFlips(ctx, id, draft);
      const issues = await overlapsOf(ctx, draft.nCpeID, draft, id);
      if (issues.length > 0) refuseFields(issues);
    },
  });
  mount(app, lanSectionEnableForward, ({ nCpeID, ids, enableForward }, ctx) =>
    flip(ctx, nCpeID, ids, "enableForward", enableForward),
  );
  mount(app, lanSectionEnableDirect, ({ nCpeID, ids, enableDirect }, ctx) =>
    flip(ctx, nCpeID, ids, "enableDirect", enableDirect),
  );
}
