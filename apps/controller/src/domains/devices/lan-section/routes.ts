import {
  lanSection,
  lanSectionEnableDirect,
  lanSectionEnableForward,
} from "@weft/contract/domains/devices/lan-section.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { holds } from "@weft/contract/permissions.ts";
import { endsOf } from "@weft/contract/rules/address.ts";
import { interfaceOf } from "@weft/contract/rules/vlan-interface.ts";
import type { FastifyInstance } from "fastify";
import {
  controllerIssues,
  controllers,
  isThere,
  siteCollisions,
  warnOfTunnelEnds,
} from "#domains/devices/public.ts";
import { missingPermission } from "#kernel/answer.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseField, refuseFields } from "#kernel/refuse.ts";
import { warnOfReservations } from "./reservations.ts";
import { type Networks, overlapIssues, pairIssues, routerIssues } from "./rules.ts";
import {
  lanSectionStore,
  otherOfPair,
  ownerOfInterface,
  ownNetworks,
  sectionsOf,
  setSwitch,
  switchesOf,
} from "./store.ts";

/** A segment; one that is not written yet has no id. */
interface Segment extends Networks {
  readonly id: number | null;
}

/**
 * What segments of a node share addresses with: the node's own networks, and those of its space. Read
 * once for all of them, as a space has tens of thousands.
 * @param inSpace those that bring something new into the space
 */
async function overlapsOf(
  ctx: HandlerContext,
  nodeId: number,
  segments: readonly Segment[],
  inSpace: boolean,
): Promise<RuleIssue[]> {
  const drafted = segments.flatMap(({ network, network6 }) =>
    [network, network6 ?? ""].map((text) => ({ network: text, kind: "lan" as const })),
  );
  const [own, far] = await Promise.all([
    ownNetworks(ctx, nodeId),
    inSpace ? siteCollisions(ctx, nodeId, drafted) : [],
  ]);
  return segments.flatMap((segment) => {
    const others = own.filter(
      ({ sectionId, isGateway }) => !isGateway && (sectionId === null || sectionId !== segment.id),
    );
    const routers = own.filter(({ isGateway }) => isGateway);
    return [...overlapIssues(segment, [...others, ...far]), ...routerIssues(segment, routers)];
  });
}

/** Segments that enter the space again must not overlap what is there by now. */
async function refuseOverlap(
  ctx: HandlerContext,
  nodeId: number,
  ids: readonly number[],
): Promise<void> {
  const [issue] = await overlapsOf(ctx, nodeId, await sectionsOf(ctx, nodeId, ids), true);
  if (issue) refuseField("ids", issue.rule, issue.params);
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
  await ctx.audit(
    ...rows.map(({ id, network, old }) => ({
      resource: lanSection.name,
      rowId: id,
      enterpriseId,
      old: { nCpeID: nodeId, network, [field]: old },
      new: { nCpeID: nodeId, network, [field]: on },
    })),
  );
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

/** Addresses that the kernel takes for the device's own: the gateway's, and the ends of the network, which are for all. */
const ownAddresses = ({ network, network6, ownAddress }: DraftOf<typeof lanSection>) => [
  ...[network, ...endsOf(network)].map((address) => ({ path: "network", address })),
  { path: "network6", address: network6 },
  { path: "ownAddress", address: ownAddress },
];

/** An interface belongs to one WAN link or to LANs; a VLAN is an interface of its own, which a link may name (`eth1.20`). */
async function ownerIssues(
  ctx: HandlerContext,
  draft: DraftOf<typeof lanSection>,
  id: number | null,
): Promise<RuleIssue[]> {
  const other = await ownerOfInterface(ctx, draft, id);
  const params = { value: interfaceOf(draft.interfaceName, draft.vlan), other: other ?? "" };
  return other === null ? [] : [{ path: "interfaceName", rule: "interfaceOwner", params }];
}

/** Networks behind CPEs. */
export function lanSectionRoutes(app: FastifyInstance): void {
  mountResource(app, lanSection, lanSectionStore, {
    checksOnlyRead: true,
    async beforeWrite(ctx, draft, id, stored) {
      if (id !== null) await refuseFlips(ctx, id, draft);
      const { nCpeID } = draft;
      // In parallel: one round trip to the database.
      const [isSame, other, owners, known] = await Promise.all([
        isThere(stored, draft, ["nCpeID", "network", "network6", "enableForward"]),
        otherOfPair(ctx, nCpeID),
        ownerIssues(ctx, draft, id),
        controllers(ctx),
      ]);
      const issues = [
        ...owners,
        ...(await overlapsOf(ctx, nCpeID, [{ ...draft, id }], !isSame)),
        ...(other ? pairIssues(draft, other.sections, other.name) : []),
        ...controllerIssues(known, ownAddresses(draft)),
      ];
      if (issues.length > 0) refuseFields(issues);
      const networks = (["network", "network6"] as const).map((path) => ({
        path,
        network: draft[path],
      }));
      if (!isSame) await warnOfTunnelEnds(ctx, { nodeIds: [nCpeID] }, networks, true);
    },
    async afterWrite(ctx, { old, new: now }) {
      const before = old as DraftOf<typeof lanSection> | null;
      const after = now as DraftOf<typeof lanSection> | null;
      if (before === null) return;
      const isSame =
        before.network === after?.network && before.ownAddress === (after.ownAddress ?? null);
      if (!isSame)
        await warnOfReservations(ctx, before.nCpeID, before, after === null ? "ids" : "network");
    },
  });
  mount(app, lanSectionEnableForward, ({ nCpeID, ids, enableForward }, ctx) =>
    flip(ctx, nCpeID, ids, "enableForward", enableForward),
  );
  mount(app, lanSectionEnableDirect, ({ nCpeID, ids, enableDirect }, ctx) =>
    flip(ctx, nCpeID, ids, "enableDirect", enableDirect),
  );
}
