import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { wantedNetns } from "@weft/contract/device/v1/spaces.ts";
import { expect, test } from "vitest";
import { cpeState } from "../../test/states.ts";
import { Refusals } from "./refusals.ts";
import {
  exitName,
  ipv6Name,
  lanName,
  lineName,
  linkIpv6,
  linkName,
  spaceName,
  withoutRefused,
} from "./without-refused.ts";

const typical = cpeState();
const line = {
  slot: 2,
  interfaceName: "wan2",
  addressing: "static" as const,
  ip: "203.0.113.2/24",
  gateway: "203.0.113.1",
};

test("what is refused is out for a minute, then for two, up to an hour, and until the next state at most", () => {
  let now = 0;
  const refusals = new Refusals(null, () => now);
  const isOut = () => refusals.all.map((one) => one.isOut);
  const pauses: number[] = [];
  for (let tries = 0; tries < 8; tries += 1) {
    refusals.add(lanName("10.1.1.1/24"), "no", null);
    expect(isOut()).toEqual([true]);
    const from = now;
    while (isOut()[0]) now += 60_000;
    pauses.push((now - from) / 60_000);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  refusals.add(lanName("10.1.1.1/24"), "no", null);
  refusals.retry();
  expect(isOut()).toEqual([false]);
  refusals.settle();
  expect(refusals.all).toEqual([]);
});

test("a WAN link keeps what it was first, also over a restart of the program", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-refusals-"));
  const file = join(folder, "refused.json");
  let now = 0;
  const refusals = new Refusals(file, () => now);
  refusals.add(lineName("wan2"), "no", line);
  refusals.retry();
  refusals.add(lineName("wan2"), "still not", { ...line, gateway: "203.0.113.9" });
  const [kept] = new Refusals(file, () => now).all;
  expect(kept).toEqual({
    ...lineName("wan2"),
    why: "still not",
    instead: line,
    tries: 1,
    isOut: true,
  });
  now = 3_600_000;
  refusals.settle();
  expect(new Refusals(file, () => now).all).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

const reduced = (state: typeof typical, refusals: Refusals) => {
  const found: Finding[] = [];
  const { lines, lans } = withoutRefused(state, refusals.all, found).underlay;
  return { lines, lans, found: found.map(({ object, reason }) => `${object} ${reason}`) };
};

test("a WAN link that is refused again as it ran before is left out, and not tried in vain", () => {
  const state = { ...typical, underlay: { ...typical.underlay, lines: [line] } };
  const refusals = new Refusals(null, () => 0);
  refusals.add(lineName("wan2"), "no", line);
  expect(reduced(state, refusals)).toMatchObject({ lines: [line], found: ["wan2 refusedKept"] });
  refusals.add(lineName("wan2"), "still not", line);
  expect(reduced(state, refusals)).toMatchObject({ lines: [], found: ["wan2 refused"] });
  const other = { ...line, gateway: "203.0.113.9" };
  const changed = { ...state, underlay: { ...state.underlay, lines: [other] } };
  expect(reduced(changed, refusals)).toMatchObject({ lines: [line], found: ["wan2 refusedKept"] });
});

test("a WAN link and a LAN whose IPv6 is refused act without it", () => {
  const ipv6 = { mode: "static" as const, ip: "2001:db8::2/64", gateway: "2001:db8::1" };
  const lans = typical.underlay.lans.map((lan) => ({ ...lan, ipv6: { slot: 2, subnet: 1 } }));
  const state = { ...typical, underlay: { lines: [{ ...line, ipv6 }], lans } };
  const [name = ""] = lans.map(({ interfaceName }) => interfaceName);
  const refusals = new Refusals(null, () => 0);
  refusals.add(ipv6Name("line", "wan2"), "no", null);
  refusals.add(ipv6Name("lan", name), "no", null);
  expect(reduced(state, refusals)).toEqual({
    lines: [line],
    lans: typical.underlay.lans,
    found: ["wan2 refusedIpv6", `${name} refusedIpv6`],
  });
});

test("a link whose IPv6 is refused stays, with its routing session", () => {
  const [tunnel] = typical.tunnels;
  const [link] = tunnel?.links ?? [];
  if (!tunnel || !link) throw new Error("the state has no link");
  const refusals = new Refusals(null, () => 0);
  refusals.add({ ...linkName(tunnel.spaceId, link), kind: linkIpv6 }, "no", null);
  const found: Finding[] = [];
  const { tunnels, routings } = withoutRefused(typical, refusals.all, found);
  expect(tunnels.flatMap(({ links }) => links)).toContainEqual({ ...link, isWithoutIpv6: true });
  expect(routings).toEqual(typical.routings);
  expect(found).toEqual([
    { ...linkName(tunnel.spaceId, link), reason: "refusedIpv6", params: { why: "no" } },
  ]);
});

test("a space of a POP whose namespace is refused is out with all that is in it, and others stay", () => {
  const of = (spaceId: number) => ({ spaceId, netns: `weft-s${spaceId}` });
  const [tunnel] = typical.tunnels;
  const [routing] = typical.routings;
  if (!tunnel || !routing) throw new Error("the state has no space");
  const each = <Item>(item: Item) => [1, 2].map((spaceId) => ({ ...item, ...of(spaceId) }));
  const state = {
    ...typical,
    tunnels: each(tunnel),
    routings: each(routing),
    spaces: each({ networks: ["10.1.0.0/16"] }),
    segments: each({ routes: [] }),
    accelerations: each({ sources: [], groups: [], exit: null }),
  };
  const refusals = new Refusals(null, () => 0);
  refusals.add(spaceName(1), "no room", null);
  const found: Finding[] = [];
  const left = withoutRefused(state, refusals.all, found);
  const { tunnels, routings, spaces, segments, accelerations } = left;
  for (const list of [tunnels, routings, spaces, segments, accelerations])
    expect(list?.map(({ spaceId }) => spaceId)).toEqual([2]);
  expect(wantedNetns(left)).toEqual(["weft-s2"]);
  expect(found).toEqual([{ ...spaceName(1), reason: "refused", params: { why: "no room" } }]);
});

test("the way out of a space that is refused is none, and those of other spaces are there", () => {
  const exits = [1, 2].map((spaceId) => ({
    spaceId,
    netns: `weft-s${spaceId}`,
    sources: ["10.1.0.0/16"],
    groups: [],
    exit: {
      marks: ["198.18.0.14", "fd57:ee::14"],
      outer4: `198.18.${spaceId}.12/31`,
      inner4: `198.18.${spaceId}.13/31`,
      outer6: `fd57:ee:${spaceId}::c/127`,
      inner6: `fd57:ee:${spaceId}::d/127`,
    },
  }));
  const refusals = new Refusals(null, () => 0);
  refusals.add(exitName({ spaceId: 1 }), "no", null);
  const found: Finding[] = [];
  const state = withoutRefused({ ...typical, accelerations: exits }, refusals.all, found);
  expect(state.accelerations?.map(({ exit }) => exit?.outer4 ?? null)).toEqual([
    null,
    "198.18.2.12/31",
  ]);
  expect(found).toMatchObject([{ section: "acceleration.1", object: "wx1", reason: "refused" }]);
});
