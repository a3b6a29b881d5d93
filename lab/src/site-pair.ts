import type { Caller } from "@weft/contract/kernel/client.ts";
import { addEnterprise, addPop, addSite, addSpace, confirmed, enrol } from "./operator.ts";
import type { World } from "./world.ts";

export interface SitePair {
  readonly groupid: number;
  readonly pop: number;
  readonly cpe1: number;
  readonly cpe2: number;
  readonly space: number;
}

/** An enterprise with two sites behind a POP, joined in one space. Its devices are not enrolled yet. */
export async function addSitePair(call: Caller): Promise<SitePair> {
  const nodes = await addNodes(call);
  return { ...nodes, space: await joined(call, nodes) };
}

type Nodes = Omit<SitePair, "space">;

async function addNodes(call: Caller): Promise<Nodes> {
  const groupid = await addEnterprise(call, "蓝海零售");
  const site = (device: string, octet: number, lan: number) =>
    addSite(call, {
      groupid,
      device,
      octet,
      network: `10.1.${lan}.1/24`,
      network6: `fd00:1:${lan}::1/64`,
    });
  return {
    groupid,
    pop: await addPop(call, "pop", 10),
    cpe1: await site("cpe1", 11, 1),
    cpe2: await site("cpe2", 12, 2),
  };
}

const joined = (call: Caller, { groupid, pop, cpe1, cpe2 }: Nodes): Promise<number> =>
  addSpace(call, {
    name: "生产网",
    groupid,
    topology: 0,
    popIds: [pop],
    cpeIds: [cpe1, cpe2],
  });

/** Enrols the three devices, and waits until each runs its state. */
export async function enrolSitePair(world: World, { pop, cpe1, cpe2 }: Nodes): Promise<void> {
  const nodes = { pop, cpe1, cpe2 };
  for (const [device, id] of Object.entries(nodes)) await enrol(world, device, id);
  for (const id of Object.values(nodes)) await confirmed(world.call, id);
}

/** An enterprise with two sites behind a POP, its three devices enrolled, joined in one space. */
export async function joinSitePair(world: World): Promise<SitePair> {
  const nodes = await addNodes(world.call);
  await enrolSitePair(world, nodes);
  return { ...nodes, space: await joined(world.call, nodes) };
}
