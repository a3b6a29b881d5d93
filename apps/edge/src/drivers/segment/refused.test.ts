import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { expect, test } from "vitest";
import type { Device } from "#drivers/device.ts";
import { CommandFailed } from "#drivers/exec.ts";
import { ObjectsRefused, Refusals } from "#drivers/refusals.ts";
import { withoutRefused } from "#drivers/without-refused.ts";
import { cpeState } from "../../../test/states.ts";
import { createSegments } from "./apply.ts";
import { placesOf } from "./render.ts";

const route = (id: number, destination: string, kept: string[] = []) => ({
  id,
  destination,
  sources: [],
  kept,
  next: { mark: `198.18.0.${id}` },
  own: null,
});
const state: DesiredState = {
  ...cpeState(),
  segments: [
    {
      spaceId: 3,
      netns: null,
      routes: [route(7, "10.2.0.0/16", ["10.2.7.0/24"]), route(8, "10.3.0.0/16")],
    },
  ],
};

/** Runs all steps by a kernel that refuses those that `refuses` fits; gives the state without what is refused. */
const appliedBy = async (refuses: RegExp) => {
  const runDir = mkdtempSync(join(tmpdir(), "weft-segments-"));
  const device = {
    runDir,
    run: async (argv) => {
      if (refuses.test(argv.join(" ")))
        throw new CommandFailed(argv, 2, {
          stdout: "",
          stderr: "RTNETLINK answers: No buffer space",
        });
      return "[]";
    },
  } as Pick<Device, "run" | "runDir"> as Device;
  const driver = createSegments(device);
  const part = driver.pick(state);
  const refusals = new Refusals(null, () => 0);
  for (const step of driver.plan(part, []))
    await driver.run(step, part).catch((error: unknown) => {
      if (!(error instanceof ObjectsRefused)) throw error;
      for (const { about, why } of error.refused) refusals.add(about, why, null);
    });
  rmSync(runDir, { recursive: true });
  const found: Finding[] = [];
  return { left: withoutRefused(state, refusals.all, found), found };
};

test.each([
  ["its rule", /rule add .* to 10\.2\./],
  ["a route of what it keeps", /route replace throw 10\.2\.7\./],
])(
  "a segment route is left out with %s that the kernel refuses, and others stay",
  async (_what, refuses) => {
    const { left, found } = await appliedBy(refuses);
    expect(found).toEqual([
      {
        section: "segment.3",
        kind: "segment",
        object: "10.2.0.0/16",
        reason: "refused",
        params: { why: "RTNETLINK answers: No buffer space" },
      },
    ]);
    expect(placesOf(left).flatMap(({ rules }) => rules.map(({ text }) => text))).toEqual([
      "to 10.3.0.0/16 lookup 100008",
    ]);
  },
);

test("on a POP none begins for all flows without the rules that end them", () => {
  const [routing] = state.routings;
  if (!routing) throw new Error("there is no space");
  const own = { mark: "198.18.0.1", links: null, reach: [] };
  const [place] = placesOf({
    ...state,
    routings: [{ ...routing, netns: "weft-s3" }],
    segments: [
      {
        spaceId: 3,
        netns: "weft-s3",
        routes: [
          { ...route(7, "10.2.0.0/16"), own },
          { ...route(8, "10.3.0.0/16"), own: { ...own, links: [1] } },
        ],
      },
    ],
  });
  const guards = place?.rules.filter(({ text }) => text.endsWith("lookup main")) ?? [];
  expect(guards.length).toBeGreaterThan(0);
  for (const { about } of guards)
    expect(about?.map(({ object }) => object)).toEqual(["10.2.0.0/16"]);
});
