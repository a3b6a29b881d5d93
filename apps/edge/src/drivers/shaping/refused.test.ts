/** Rates and classes that tc(8) or the kernel refuses: they are left out, and the others act. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import type { Device } from "#drivers/device.ts";
import { CommandFailed } from "#drivers/exec.ts";
import { ObjectsRefused, Refusals } from "#drivers/refusals.ts";
import { withoutRefused } from "#drivers/without-refused.ts";
import { cpeState } from "../../../test/states.ts";
import { createShaping } from "./apply.ts";
import { pickShaping } from "./plan.ts";

const tunnel = (id: number, guaranteed: number) => ({
  id,
  guaranteed,
  most: 6_000,
  up: true,
  down: true,
  slot: null,
});
const circuit = (id: number, guaranteed: number) => ({
  id,
  guaranteed,
  most: 1_000,
  until: null,
  links: [1],
  networks: null,
});
const state: DesiredState = {
  ...cpeState(),
  shaping: {
    up: 10_000,
    down: 20_000,
    lines: [{ slot: 1, up: 9_000 }],
    circuits: [circuit(8, 111), circuit(9, 112)],
  },
  policy: { sets: [], limits: [], tunnels: [tunnel(5, 101), tunnel(6, 102)], bandwidths: [] },
};

/** Applies the shaping by tools that refuse what `refuses` fits; gives the state without what is refused. */
const appliedBy = async (refuses: RegExp) => {
  const runDir = mkdtempSync(join(tmpdir(), "weft-shaping-"));
  const fail = (argv: readonly [string, ...string[]], stderr: string): never => {
    throw new CommandFailed(argv, 1, { stdout: "", stderr });
  };
  const lines: string[] = [];
  const device = {
    runDir,
    now: () => 0,
    run: async (argv, { input } = {}) => {
      const command = argv.join(" ");
      if (command.includes("-j link"))
        return JSON.stringify(["wan1", "lan1", "wl1"].map((ifname) => ({ ifname, flags: [] })));
      if (command.includes("-j qdisc")) return "[]";
      if (input === undefined) {
        lines.push(command);
        return refuses.test(command) ? fail(argv, "RTNETLINK answers: No such file") : "";
      }
      const batch = input.trim().split("\n");
      lines.push(...batch);
      const refused = batch.flatMap((line, at) =>
        refuses.test(line) ? [`Error: no room.\nCommand failed -:${at + 1}`] : [],
      );
      return refused.length > 0 ? fail(argv, refused.join("\n")) : "";
    },
  } as Pick<Device, "run" | "runDir" | "now"> as Device;
  const driver = createShaping(device, () => true);
  const refusals = new Refusals(null, () => 0);
  let left = state;
  let found: Finding[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    found = [];
    left = withoutRefused(state, refusals.all, found);
    const part = driver.pick(left);
    lines.length = 0;
    const [step] = driver.plan(part, { loaded: null, listing: "", isThere: false, now: 0 });
    if (!step) break;
    const error: unknown = await driver.run(step, part).then(
      () => null,
      (refused: unknown) => refused,
    );
    if (error === null) break;
    if (!(error instanceof ObjectsRefused)) throw error;
    for (const { about, why } of error.refused) refusals.add(about, why, null);
  }
  rmSync(runDir, { recursive: true });
  return {
    left,
    lines,
    found: found.map(({ section, kind, object, reason }) => [section, kind, object, reason]),
  };
};

describe("what tc refuses", () => {
  it.each<[string, RegExp, readonly (readonly string[])[]]>([
    ["a bandwidth tunnel", /rate 101kbit/, [["policy", "bandwidthTunnel", "5", "refused"]]],
    ["a circuit", /rate 112kbit/, [["shaping", "circuit", "9", "refused"]]],
    [
      "the rate of a WAN link",
      /qdisc replace dev wan1 root/,
      [["shaping", "lineRate", "wan1", "refused"]],
    ],
    [
      "all that goes to the LANs",
      /egress .* redirect dev wdn/,
      [
        ["policy", "bandwidthTunnel", "5", "refused"],
        ["policy", "bandwidthTunnel", "6", "refused"],
        ["shaping", "rateDown", "wdn", "refused"],
      ],
    ],
  ])("is left out, and the rest acts: %s", async (_what, refuses, expected) => {
    const { left, lines, found } = await appliedBy(refuses);
    expect(found).toEqual(expected);
    expect(lines.filter((line) => refuses.test(line))).toEqual([]);
    expect(lines.join("\n")).toMatch(/dev wup parent 1: classid 1:1 htb prio 0 rate 10000kbit/);
    expect(lines.join("\n")).toContain("egress protocol all prio 1 handle 1 bpf");
    expect(pickShaping(left, true).at(0)).not.toEqual(pickShaping(state, true).at(0));
  });

  it("ends no state where it has none of it", async () => {
    const { found, lines } = await appliedBy(/./);
    expect(found.length).toBeGreaterThan(5);
    expect(lines).toEqual([]);
  });
});
