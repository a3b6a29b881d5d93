import { line } from "@weft/contract/domains/devices/line.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import {
  addressOf,
  isPrivateAddress,
  isSameAddress,
  isWithin,
  networkOf,
  networksOverlap,
  parsePrefix,
} from "@weft/contract/rules/address.ts";
import { interfaceOf } from "@weft/contract/rules/vlan-interface.ts";
import type { FastifyInstance } from "fastify";
import {
  controllerIssues,
  lineSurroundings,
  warnOfEndsOnLine,
  warnOfNetworksAround,
} from "#domains/devices/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseField, refuseFields } from "#kernel/refuse.ts";
import { lansOf, lineStore } from "./store.ts";

/**
 * Addresses that a line and a LAN share would be looked for on one side only, and an interface belongs to one WAN link
 * or to LANs.
 */
async function refuseLans(
  ctx: HandlerContext,
  {
    nodeId,
    ip,
    ip6,
    gateway,
    gateway6,
    interfaceName,
  }: Pick<DraftOf<typeof line>, "nodeId" | "ip" | "ip6" | "gateway" | "gateway6" | "interfaceName">,
): Promise<void> {
  const lans = await lansOf(ctx, nodeId);
  const there = lans.find((lan) => interfaceOf(lan.interfaceName, lan.vlan) === interfaceName);
  if (there)
    refuseField("interfaceName", "interfaceOwner", { value: interfaceName, other: there.network });
  for (const [field, address] of [
    ["ip", ip],
    ["ip6", ip6],
  ] as const) {
    const clash = lans.find(({ network }) => networksOverlap(address ?? "", network));
    if (clash) refuseField(field, "overlap", { value: clash.network, other: clash.interfaceName });
  }
  // The device is not its own router.
  for (const [field, router] of [
    ["gateway", gateway],
    ["gateway6", gateway6],
  ] as const) {
    const clash = lans.find(({ network }) => isSameAddress(addressOf(network), router ?? ""));
    if (clash) refuseField(field, "overlap", { value: clash.network, other: clash.interfaceName });
  }
}

/** A gateway outside of the line's network is there with some carriers, and mostly a slip of the keyboard. */
function warnOfGateway(
  ctx: HandlerContext,
  { addressing, ip, gateway, ipv6Mode, ip6, gateway6 }: DraftOf<typeof line>,
): void {
  const given = [
    { path: "gateway", isStatic: addressing === "static", own: ip, router: gateway, alone: 32 },
    { path: "gateway6", isStatic: ipv6Mode === "static", own: ip6, router: gateway6, alone: 128 },
  ];
  for (const { path, isStatic, own, router, alone } of given) {
    if (!isStatic || own === null || router === null) continue;
    // A link-local address is in the network of every link.
    const isNear = isWithin(own, router) || isWithin("fe80::/10", router);
    if (parsePrefix(own)?.length === alone || isNear) continue;
    ctx.warn({ path, warning: "gatewayOutside", params: { gateway: router, ip: own } });
  }
}

type CallResult = Pick<DraftOf<typeof line>, "addressing" | "ip" | "publicIp" | "reachable">;

/** Where others call the line, and the field that says so; null: they do not, or only DHCP says where. */
function calledAt({ addressing, ip, publicIp, reachable }: CallResult, ofPop: boolean) {
  if (!(reachable || (ofPop && addressing === "static"))) return null;
  if (publicIp !== null) return { path: "publicIp", address: publicIp };
  return addressing === "static" && ip !== null ? { path: "ip", address: addressOf(ip) } : null;
}

/** What the line's addresses mean for tunnels and for contact with the controllers. */
async function checkTunnels(
  ctx: HandlerContext,
  draft: DraftOf<typeof line>,
  beside: Awaited<ReturnType<typeof lineSurroundings>>,
): Promise<void> {
  const { nodeId, addressing, ip, ipv6Mode, ip6 } = draft;
  const staticIp = addressing === "static" ? ip : null;
  const staticIp6 = ipv6Mode === "static" ? ip6 : null;
  const ofPop = beside.isPop;
  const called = calledAt(draft, ofPop);
  // A POP may share its machine with a controller.
  if (!ofPop) {
    const issues = controllerIssues(beside.controllers, [
      { path: "ip", address: staticIp },
      { path: "ip6", address: staticIp6 },
    ]);
    if (issues.length > 0) refuseFields(issues);
  }
  // Sites call a POP there: a private address is reached from its own network only.
  if (ofPop && called !== null && isPrivateAddress(called.address))
    ctx.warn({ path: called.path, warning: "privatePop", params: { ip: called.address } });
  if (staticIp !== null)
    warnOfEndsOnLine(ctx, beside, { path: "ip", network: networkOf(staticIp) });
  if (staticIp6 !== null)
    warnOfEndsOnLine(ctx, beside, { path: "ip6", network: networkOf(staticIp6) });
  if (called !== null) await warnOfNetworksAround(ctx, nodeId, called);
}

/** WAN lines of CPEs and POPs. */
export function lineRoutes(app: FastifyInstance): void {
  mountResource(app, line, lineStore, {
    checksOnlyRead: true,
    async beforeWrite(ctx, draft) {
      // Side by side; of two refusals that about the LANs is answered.
      const [, beside] = await Promise.all([
        refuseLans(ctx, draft),
        lineSurroundings(ctx, draft.nodeId),
      ]);
      warnOfGateway(ctx, draft);
      await checkTunnels(ctx, draft, beside);
    },
  });
}
