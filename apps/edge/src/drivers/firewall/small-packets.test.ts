import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { expect, test } from "vitest";
import { makeSites, newKey, popState } from "../../../test/netns/world.ts";
import { sharedParts, smallBoundsOf, smallParts, smallSharesOf } from "./small-packets.ts";

const sites = makeSites();
const plain = popState(
  sites.map((site) => ({ site, slots: [1] })),
  newKey(),
);
const [line] = plain.underlay.lines;
if (!line) throw new Error("the POP has a WAN link");
/** The second link of the space leaves by the second WAN link. */
const twoLines: DesiredState = {
  ...plain,
  underlay: { ...plain.underlay, lines: [line, { ...line, slot: 2, interfaceName: "wan2" }] },
  tunnels: plain.tunnels.map((tunnel) => ({
    ...tunnel,
    links: tunnel.links.map((link) => ({ ...link, slot: link.id === 21 ? 2 : 1 })),
  })),
};
const boundsOf = (state: DesiredState, shaping: NonNullable<DesiredState["shaping"]>) =>
  smallBoundsOf({ ...state, shaping }, "weft-s1");

test("a slow WAN link bounds what leaves by itself, not what leaves by a fast one", () => {
  const lines = [
    { slot: 1, up: 1_000_000 },
    { slot: 2, up: 10_000 },
  ];
  const bounds = boundsOf(twoLines, { up: null, down: null, lines });
  expect(bounds).toMatchObject({
    perSecond: null,
    lines: [
      // Acknowledgements of 1 Gbit/s: 45,000 to 90,000 a second.
      { slot: 1, perSecond: 156_250, interfaceNames: ["wl11"] },
      { slot: 2, perSecond: 1_562, interfaceNames: ["wl21"] },
    ],
  });
  const { sets, chains } = smallParts(bounds, "wx1");
  expect(sets.map(({ text }) => text)).toEqual([
    'set s_small_1 { type ifname; elements = { "wl11" } }',
    'set s_small_2 { type ifname; elements = { "wl21" } }',
  ]);
  const text = chains.join("\n");
  expect(text).toContain("oifname @s_small_2 jump c_small_2");
  // By which of them the internet is reached is not known here.
  expect(text).toMatch(/chain c_small_exit \{\n {4}limit rate over 1562\/second/);
});

test("the rate of the POP bounds all links together, and so does that of its only WAN link", () => {
  const all = { perSecond: 468, lines: [], narrowest: 1_380 };
  expect(boundsOf(plain, { up: 3_000, down: null, lines: [] })).toEqual(all);
  expect(boundsOf(plain, { up: null, down: null, lines: [{ slot: 1, up: 3_000 }] })).toEqual(all);
  expect(boundsOf(plain, { up: 3_000, down: null, lines: [{ slot: 1, up: 9_000 }] })).toEqual(all);
  expect(boundsOf(plain, { up: null, down: 3_000, lines: [] })).toBeNull();
  expect(smallBoundsOf(plain, "weft-s1")).toBeNull();
});

test("only one of several WAN links has a rate: what leaves by the others is not bounded", () => {
  const bounds = boundsOf(twoLines, { up: null, down: null, lines: [{ slot: 2, up: 10_000 }] });
  expect(bounds).toMatchObject({ perSecond: null, lines: [{ slot: 2 }] });
  expect(smallParts(bounds, null).chains.join("\n")).not.toContain("s_small_1");
});

test("what leaves without a tunnel is small up to the size that is sent before others on the WAN link", () => {
  const bounds = boundsOf(plain, { up: 3_000, down: null, lines: [] });
  expect(smallParts(bounds, "wx1").forward).toContain(
    'oifname "wx1" meta length 141-200 jump c_small',
  );
});

test("a space that is alone on a POP may send all that is carried, and shares nothing", () => {
  const alone = popState(
    sites.slice(0, 2).map((site) => ({ site, slots: [1] })),
    newKey(),
  );
  const shaping = { up: 3_000, down: null, lines: [] };
  expect(boundsOf(alone, shaping)).toMatchObject({ perSecond: 937 });
  expect(smallSharesOf({ ...alone, shaping })).toBeNull();
});

test("spaces share what a POP carries by their tunnels, by each WAN link with a rate, and on their way out", () => {
  const lines = [
    { slot: 1, up: 9_000 },
    { slot: 2, up: 6_000 },
  ];
  const shares = smallSharesOf({ ...twoLines, shaping: { up: 3_000, down: null, lines } });
  expect(shares).toEqual({
    sharers: [
      { ports: [52_011, 52_021], exit: null },
      { ports: [52_031], exit: null },
    ],
    bounds: [
      { wan: ["wan1", "wan2"], perSecond: 937 },
      { wan: ["wan1"], perSecond: 2_812 },
      { wan: ["wan2"], perSecond: 1_875 },
    ],
  });
  const text = sharedParts(shares).chains.join("\n");
  // Two thirds and one third of one half; the other half is for whoever needs it.
  expect(text).toMatch(
    /chain c_small_space_0 \{\s+oifname \{ "wan1", "wan2" \} limit rate over 312\/second burst 31 packets jump c_small_bound_0/,
  );
  expect(text).toMatch(/chain c_small_space_1 \{\s+.* limit rate over 156\/second /);
  expect(text).toMatch(/chain c_small_bound_0 \{\s+limit rate over 468\/second /);
  expect(text).toMatch(
    /udp sport vmap \{ 52011 : jump c_small_space_0, 52021 : jump c_small_space_0, 52031 : jump c_small_space_1 \}/,
  );
  expect(text).not.toContain("hook forward");
});
