/** What goes wrong with lines, done to the far end of a cable so that the device cannot see why. */
import { exec, mustExec } from "./enter.ts";
import type { Lab } from "./lab.ts";
import { LabError } from "./lab-error.ts";
import { cableOf } from "./spec.ts";

const tableOf = (node: string, port: string) => `fault_${node}_${port}`;

/** Replaces the faults of a port by one rule in both directions, immediately (nft is atomic). */
async function setFault(lab: Lab, node: string, port: string, rule: string): Promise<void> {
  const { at, far } = cableOf(lab.spec, node, port);
  const table = `netdev ${tableOf(node, port)}`;
  const chain = (hook: string) =>
    `chain c_${hook} { type filter hook ${hook} device "${far}" priority 0; ${rule}; }`;
  const input = `add table ${table}
delete table ${table}
table ${table} {
  ${chain("ingress")}
  ${chain("egress")}
}
`;
  await mustExec(lab, at, ["nft", "-f", "-"], { input });
}

/** Drops everything on a line, both ways, silently: the carrier stays up. */
export const cut = (lab: Lab, node: string, port: string): Promise<void> =>
  setFault(lab, node, port, "policy drop");

/** Loses that many percent (0 to 100) of the packets of a line at random, each way. */
export async function impair(lab: Lab, node: string, port: string, lossPercent: number) {
  if (!(lossPercent >= 0 && lossPercent <= 100)) throw new LabError(`loss of ${lossPercent} %`);
  const share = Math.round(lossPercent * 100);
  await setFault(lab, node, port, `policy accept; numgen random mod 10000 < ${share} drop`);
}

/** Undoes `cut` and `impair`; a line without a fault stays as it is. */
export async function heal(lab: Lab, node: string, port: string): Promise<void> {
  const { at } = cableOf(lab.spec, node, port);
  const table = `netdev ${tableOf(node, port)}`;
  const input = `add table ${table}\ndelete table ${table}\n`;
  await mustExec(lab, at, ["nft", "-f", "-"], { input });
}

const setLink = async (lab: Lab, node: string, port: string, state: "up" | "down") => {
  const { at, far } = cableOf(lab.spec, node, port);
  await mustExec(lab, at, ["ip", "link", "set", far, state]);
};

/** Pulls the cable out: the device loses the carrier. */
export const unplug = (lab: Lab, node: string, port: string): Promise<void> =>
  setLink(lab, node, port, "down");

export const plug = (lab: Lab, node: string, port: string): Promise<void> =>
  setLink(lab, node, port, "up");

/** Whether a port has a fault of `cut` or `impair`. */
export async function hasFault(lab: Lab, node: string, port: string): Promise<boolean> {
  const { at } = cableOf(lab.spec, node, port);
  const listing = ["nft", "list", "table", "netdev", tableOf(node, port)];
  return (await exec(lab, at, listing)).code === 0;
}
