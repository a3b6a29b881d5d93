import { segmentSection } from "@weft/contract/device/v1/segments.ts";
import { expect, test } from "vitest";
import type { PlacedSegment } from "#domains/overlay/segment-route/public.ts";
import { segmentSectionOf } from "./segment-sections.ts";

const spaceId = 4;
const route = (change: Partial<PlacedSegment> = {}): PlacedSegment => ({
  spaceId,
  id: 7,
  name: "r",
  cpeId: 9,
  destination: "10.1.2.0/24",
  metric: 10,
  pops: [1, 2, 3],
  members: [1, 2, 3],
  sources: ["10.1.1.0/24", "fd57:1::/64"],
  networks: ["10.1.2.0/24"],
  ...change,
});
const capabilities = [{ name: "segments", can: true }];
const at = (
  node: { id: number; kind: "cpe" | "pop" },
  linked: readonly number[],
  stored: readonly PlacedSegment[] = [route()],
  more: { announce?: readonly string[]; can?: boolean } = {},
) =>
  segmentSectionOf({
    view: {
      node,
      segments: new Map([[spaceId, stored]]),
      capabilities: more.can === false ? [] : capabilities,
    },
    spaceId,
    announce: more.announce ?? [],
    neighbors: linked.map((one) => ({ linkId: 100 + one, node: one })),
  });
const cpe = (id = 9) => ({ id, kind: "cpe" as const });
const pop = (id: number) => ({ id, kind: "pop" as const });

test("each hop has the mark of the next hop and the node that uses its own", () => {
  const begin = at(cpe(), [1, 2]);
  const [first, middle, last] = [at(pop(1), [9, 2, 3]), at(pop(2), [1, 3]), at(pop(3), [2])];
  expect(begin?.routes[0]).toEqual({
    id: 7,
    destination: "10.1.2.0/24",
    sources: [],
    kept: [],
    own: null,
    next: { mark: "198.18.0.113" },
  });
  expect(first?.routes[0]).toMatchObject({
    sources: ["10.1.1.0/24"],
    next: { mark: "198.18.0.114" },
    own: { mark: "198.18.0.113", links: [109], reach: [] },
  });
  expect(middle?.routes[0]).toMatchObject({
    next: { mark: "198.18.0.115" },
    own: { mark: "198.18.0.114", links: [101] },
  });
  expect(last?.routes[0]).toMatchObject({
    next: null,
    own: { mark: "198.18.0.115", links: [102], reach: ["10.1.2.128"] },
  });
  for (const one of [begin, first, middle, last])
    expect(segmentSection.safeParse(one).success).toBe(true);
  expect([begin?.netns, first?.netns]).toEqual([null, "weft-s4"]);
});

test("IPv6 has marks of its own family", () => {
  const six = route({ destination: "fd57:2::/64", networks: ["fd57:2::/48"] });
  const section = at(pop(3), [2], [six]);
  expect(section?.routes[0]).toMatchObject({
    sources: ["fd57:1::/64"],
    own: { mark: "fd57:6566:0:4:0:100:0:73", reach: ["fd57:2:0:0:8000::"] },
  });
});

test("a node without a link to the next hop, or without the capability, has nothing of it", () => {
  expect(at(cpe(), [2])).toBeNull();
  expect(at(cpe(8), [1])).toBeNull();
  expect(at(pop(1), [2])).toBeNull();
  expect(at(pop(1), [9, 3])).toBeNull();
  expect(at(pop(4), [1, 2, 3])).toBeNull();
  expect(at(pop(1), [9, 2], [route()], { can: false })).toBeNull();
  expect(at(pop(1), [9, 2], [route({ members: [1, 2] })])).toBeNull();
});

test("of all CPEs it begins at each but that of the destination, whose own networks it keeps", () => {
  const all = route({ cpeId: null, sources: [], destination: "10.1.0.0/16" });
  expect(at(cpe(8), [1], [all], { announce: ["10.1.2.1/24"] })?.routes[0]?.kept).toEqual([
    "10.1.2.0/24",
  ]);
  expect(at(cpe(8), [1], [all], { announce: ["10.0.0.0/8"] })).toBeNull();
  expect(at(pop(1), [2], [all])?.routes[0]?.own).toMatchObject({ links: null });
});
