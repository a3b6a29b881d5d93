import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { expect, test } from "vitest";
import { pickIsolation } from "./plan.ts";

test("what is as wide as a default, or half of one, is left to the site", () => {
  const networks = [
    "0.0.0.0/0",
    "0.0.0.0/1",
    "128.0.0.0/1",
    "10.0.0.0/8",
    "::/0",
    "8000::/1",
    "fd00:7::/64",
  ];
  const state = { spaces: [{ spaceId: 7, netns: null, networks }] } as unknown as DesiredState;
  expect(pickIsolation(state)).toEqual([{ netns: null, networks: ["10.0.0.0/8", "fd00:7::/64"] }]);
});
