import { fromSections } from "@weft/contract/device/v1/state.ts";
import { tracePacket } from "@weft/contract/device/v1/trace/trace.ts";
import { packetTrace } from "@weft/contract/domains/delivery/trace.ts";
import type { FastifyInstance } from "fastify";
import { findConfirmed, readStateSections, requireNode } from "#domains/delivery/history/public.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { nameObjects, reportedAddresses } from "./store.ts";

const noState = {
  reason: ["设备尚未确认过配置", "the device has not confirmed a configuration yet"],
} as const;
const isPop = {
  reason: [
    "POP 在空间内按隧道转发，没有可追踪的规则",
    "a POP passes packets between the tunnels of a space, by no rule of an object",
  ],
} as const;

/** As the desired state writes hardware addresses. */
const canonicalMac = (mac: string | null): string | null =>
  mac === null ? null : mac.toLowerCase().replaceAll("-", ":");

export function traceRoutes(app: FastifyInstance): void {
  mount(app, packetTrace, async ({ id, ...packet }, ctx) => {
    const node = await requireNode(ctx, id);
    if (node.kind === "pop") refuse("notAllowedNow", isPop);
    const row = (await findConfirmed(ctx, node)) ?? refuse("notAllowedNow", noState);
    const state = fromSections(await readStateSections(ctx, row));
    const reported = await reportedAddresses(ctx, id, state.underlay.lines);
    const described = { ...packet, mac: canonicalMac(packet.mac) };
    const traced = tracePacket(state, described, { reported, now: Date.now() });
    const objects = await nameObjects(
      ctx,
      traced.steps.flatMap(({ object }) => object ?? []),
    );
    return {
      serial: row.serial,
      outcome: traced.outcome,
      steps: traced.steps.map(({ object, ...step }) => ({
        ...step,
        object: object ? objects(object) : null,
      })),
    };
  });
}
