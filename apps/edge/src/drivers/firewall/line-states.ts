/**
 * Which WAN links and next hops lead nowhere at the moment, for policy routes: a route of a link without carrier is
 * passed over by routing, but not by nft's own look-up.
 */
import { markText } from "@weft/contract/device/v1/mark.ts";
import type { Device } from "#drivers/device.ts";
import { succeeds } from "#drivers/exec.ts";
import { table } from "./render.ts";
import { downSet, type Exit, keptExits, pathsIn } from "./route-exits.ts";

/** `none`: no route leads there, or not yet, which nft's own look-up knows; `down`: one does, without carrier. */
type ExitState = "up" | "down" | "none";

async function stateOf(
  { run }: Device,
  { table: number }: Exit,
  left: ReadonlySet<string>,
): Promise<ExitState> {
  if (left.has(number)) return "down";
  const defaults: string[] = [];
  for (const family of ["-4", "-6"]) {
    // It fails where there is none.
    const text = await run(["ip", family, "route", "show", "table", number]).catch(() => "");
    defaults.push(...text.split("\n").filter((line) => line.startsWith("default")));
  }
  if (defaults.length === 0) return "none";
  return defaults.every((line) => /\b(linkdown|dead)\b/.test(line)) ? "down" : "up";
}

/**
 * A sender that goes on with the same ports, as telephones do, would be refused for as long as it tries; now its
 * next packet begins a flow, which takes another exit.
 */
async function endFlows({ run }: Device, { flows }: Pick<Exit, "flows">): Promise<void> {
  // It fails where there is none.
  for (const family of ["ipv4", "ipv6"])
    for (const selected of flows)
      await succeeds(run, ["conntrack", "-D", "-f", family, "-m", selected]);
}

/** Ends flows whose mark led elsewhere in the rules before. */
export async function endMovedFlows(device: Device, before: string, text: string): Promise<void> {
  const now = pathsIn(text);
  for (const [flows, name] of pathsIn(before))
    if (now.get(flows) !== name) await endFlows(device, { flows: [flows] });
}

/**
 * @param text the rules that are loaded
 * @param left tables of WAN links that lead nowhere although they are plugged
 */
export async function followLines(
  device: Device,
  text: string,
  left: ReadonlySet<string>,
): Promise<void> {
  const exits = keptExits(text);
  if (exits.length === 0) return;
  const states = new Map<Exit, ExitState>();
  for (const exit of exits) states.set(exit, await stateOf(device, exit, left));
  const elements = exits
    .filter((exit) => states.get(exit) === "down")
    .map(({ mark }) => `add element inet ${table} ${downSet} { ${markText(mark)} }\n`);
  await device.run(["nft", "-f", "-"], {
    input: `flush set inet ${table} ${downSet}\n${elements.join("")}`,
  });
  for (const exit of exits) if (states.get(exit) !== "up") await endFlows(device, exit);
}
