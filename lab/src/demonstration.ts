import { rmSync } from "node:fs";
import { join } from "node:path";
import { confirmed } from "./operator.ts";
import { joinSitePair } from "./site-pair.ts";
import { defaultLab } from "./spec.ts";
import { startWorld } from "./world.ts";

/**
 * Builds the lab, runs a controller in it, enrols its three devices and joins the two sites in a
 * space. All of it goes on after this process has ended.
 * @returns what to print for the person who started it
 */
export async function startDemonstrationLab(folder: string, port: number): Promise<string> {
  // The machines are new, so the controller is: an old one would know other devices.
  rmSync(join(folder, "controller"), { recursive: true, force: true });
  const world = await startWorld(defaultLab(), { folder, port });
  const pair = await joinSitePair(world);
  for (const id of [pair.pop, pair.cpe1, pair.cpe2]) await confirmed(world.call, id);
  return [
    `console   ${world.url}   admin / ${world.password}`,
    "try       npm run lab -- ping hosta 10.1.2.100",
    "          npm run lab -- cut cpe1 wan1      and heal cpe1 wan1",
    "          npm run lab -- exec cpe1 bash",
    "end       npm run lab -- down",
  ].join("\n");
}
