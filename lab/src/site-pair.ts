import { addEnterprise, addPop, addSite, addSpace, confirmed, enrol } from "./operator.ts";
import type { World } from "./world.ts";

export interface SitePair {
  readonly groupid: number;
  readonly pop: number;
  readonly cpe1: number;
  readonly cpe2: number;
  readonly space: number;
}

/** An enterprise with two sites behind a POP, its three devices enrolled, joined in one space. */
export async function joinSitePair(world: World): Promise<SitePair> {
  const { call } = world;
  const groupid = await addEnterprise(call, "蓝海零售");
  const site = (device: string, octet: number, lan: number) =>
    addSite(call, {
      groupid,
      device,
      octet,
      network: `10.1.${lan}.1/24`,
      network6: `fd00:1:${lan}::1/64`,
    });
  const nodes = {
    pop: await addPop(call, "pop", 10),
    cpe1: await site("cpe1", 11, 1),
    cpe2: await site("cpe2", 12, 2),
  };
  for (const [device, id] of Object.entries(nodes)) await enrol(world, device, id);
  for (const id of Object.values(nodes)) await confirmed(call, id);
  const cpeIds = [nodes.cpe1, nodes.cpe2];
  const popIds = [nodes.pop];
  const space = await addSpace(call, { name: "生产网", groupid, topology: 0, popIds, cpeIds });
  return { groupid, ...nodes, space };
}
