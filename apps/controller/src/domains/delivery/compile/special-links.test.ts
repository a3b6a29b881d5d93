import { describe, expect, test } from "vitest";
import { qualityOf, specialLinksOf } from "./special-links.ts";

const node = (id: number, kind: "cpe" | "pop", ...qualities: number[]) => ({
  id,
  kind,
  lines: qualities.map((quality, at) => ({ slot: at + 1, quality })),
});
type Node = ReturnType<typeof node>;
/** The link with this id from one node to another, by these slots, as the first of them has it. */
const side = (id: number, own: Node, slot: number, peer: Node, peerSlot: number) => {
  const [a, b] = [
    { node: own.id, slot },
    { node: peer.id, slot: peerSlot },
  ];
  return { link: { id, spaceId: 1, a, b }, own: a, peer };
};

describe("links over special lines", () => {
  const site = node(1, "cpe", 0, 1);
  const pop = node(2, "pop", 0, 2);

  test("are those of a site's special line, at both of their ends", () => {
    const ofSite = [side(11, site, 1, pop, 2), side(12, site, 2, pop, 1)];
    expect(specialLinksOf(site, ofSite, [])).toEqual(new Map([[1, [12]]]));
    const ofPop = [side(11, pop, 2, site, 1), side(12, pop, 1, site, 2)];
    expect(specialLinksOf(pop, ofPop, [])).toEqual(new Map([[1, [12]]]));
  });

  test("are those of a line that an interface line makes one, unless its row does", () => {
    const given = { ...site, lines: [{ slot: 1, quality: 0, givenQuality: 1 }] };
    expect(specialLinksOf(pop, [side(11, pop, 1, given, 1)], [])).toEqual(new Map([[1, [11]]]));
    expect(qualityOf({ quality: 2, givenQuality: 1 })).toBe(2);
  });

  test("between two nodes of a kind are those that are special at both ends", () => {
    const other = node(3, "cpe", 2);
    const all = [side(11, site, 2, other, 1), side(12, site, 1, other, 1)];
    expect(specialLinksOf(site, all, [])).toEqual(new Map([[1, [11]]]));
    const common = node(4, "cpe", 0);
    expect(specialLinksOf(site, [side(13, site, 2, common, 1)], [])).toEqual(new Map());
  });

  test("are none of those that leave: traffic moves off them before they go", () => {
    const leaving = side(12, site, 2, pop, 1);
    const one = { ...leaving, link: { ...leaving.link, isLeaving: true } };
    const sold = { peer: 2, spaceId: 1, quality: 1 };
    expect(specialLinksOf(site, [side(11, site, 2, pop, 2), one], [])).toEqual(
      new Map([[1, [11]]]),
    );
    expect(specialLinksOf(site, [one], [sold])).toEqual(new Map());
  });

  test("are those to the other end of a circuit that is sold as a special line", () => {
    const far = node(5, "pop", 0);
    const all = [side(11, site, 1, pop, 1), side(12, site, 1, far, 1)];
    const sold = { peer: 5, spaceId: 1, quality: 2 };
    expect(specialLinksOf(site, all, [sold])).toEqual(new Map([[1, [12]]]));
    expect(specialLinksOf(site, all, [{ ...sold, quality: 0 }])).toEqual(new Map());
    expect(specialLinksOf(site, all, [{ ...sold, spaceId: 2 }])).toEqual(new Map());
  });
});
