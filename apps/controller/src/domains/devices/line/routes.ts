import { line } from "@weft/contract/domains/devices/line.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import {
  addressOf,
  isPrivateAddress,
  isWithin,
  overlaps,
  parsePrefix,
} from "@weft/contract/rules/address.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseField } from "#kernel/refuse.ts";
import { isPop, lansOf, lineStore } from "./store.ts";

/**
 * Addresses that a line and a LAN share would be looked for on one side only, and an interface belongs to one WAN link
 * or to LANs.
 */
async function refuseLans(
  ctx: HandlerContext,
  { nodeId, ip, interfaceName }: Pick<DraftOf<typeof line>, "nodeId" | "ip" | "interfaceName">,
): Promise<void> {
  const lans = await lansOf(ctx, nodeId);
  const there = lans.find((lan) => lan.isUntagged && lan.interfaceName === interfaceName);
  if (there)
    refuseField("interfaceName", "interfaceOwner", { value: interfaceName, other: there.network });
  const own = parsePrefix(ip ?? "");
  if (own === null) return;
  const clash = lans.find(({ network }) => {
    const lan = parsePrefix(network);
    return lan !== null && overlaps(own, lan);
  });
  if (clash) refuseField("ip", "overlap", { value: clash.network, other: clash.interfaceName });
}

/** A gateway outside of the line's network is there with some carriers, and mostly a slip of the keyboard. */
function warnOfGateway(
  ctx: HandlerContext,
  { addressing, ip, gateway }: Pick<DraftOf<typeof line>, "addressing" | "ip" | "gateway">,
): void {
  if (addressing !== "static" || ip === null || gateway === null) return;
  const isAlone = parsePrefix(ip)?.length === 32;
  if (!isAlone && !isWithin(ip, gateway))
    ctx.warn({ path: "gateway", warning: "gatewayOutside", params: { gateway, ip } });
}

/** Sites call a POP at the address of its line: a private one is reached from its own network only. */
async function warnOfPrivatePop(
  ctx: HandlerContext,
  { nodeId, addressing, ip, publicIp }: DraftOf<typeof line>,
): Promise<void> {
  const called = publicIp ?? (addressing === "static" && ip !== null ? addressOf(ip) : null);
  if (called !== null && isPrivateAddress(called) && (await isPop(ctx, nodeId)))
    ctx.warn({
      path: publicIp === null ? "ip" : "publicIp",
      warning: "privatePop",
      params: { ip: called },
    });
}

/** WAN lines of CPEs and POPs. */
export function lineRoutes(app: FastifyInstance): void {
  mountResource(app, line, lineStore, {
    async beforeWrite(ctx, draft) {
      await refuseLans(ctx, draft);
      warnOfGateway(ctx, draft);
      await warnOfPrivatePop(ctx, draft);
    },
  });
}
