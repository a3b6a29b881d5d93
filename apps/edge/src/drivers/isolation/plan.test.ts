import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { expect, test } from "vitest";
import { networksWithFlows, pickIsolation } from "./plan.ts";

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

test("flows are those of the networks that hosts sent to, whatever the answer's addresses are", () => {
  const dump = [
    "tcp      6 431999 ESTABLISHED src=10.1.1.100 dst=10.0.0.9 sport=5 dport=80 src=10.0.0.9 dst=198.51.100.2 sport=80 dport=5 [ASSURED] mark=0 use=1",
    "icmp     1 29 src=10.1.1.100 dst=192.0.2.1 type=8 code=0 id=1 src=192.0.2.1 dst=10.7.0.1 type=0 code=0 id=1 mark=0 use=1",
  ].join("\n");
  const networks = ["10.0.0.0/24", "10.0.0.0/16", "10.7.0.0/16", "10.9.0.0/16"];
  expect(networksWithFlows(networks, dump)).toEqual(["10.0.0.0/16"]);
  expect(networksWithFlows(networks, "")).toEqual([]);
});
