import { describe, expect, test } from "vitest";
import { differences } from "./difference.ts";
import { type Accounting, type WrittenRows, weighRemovals } from "./guard.ts";

const times = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at));
const lans = (count: number) => ({
  underlay: {
    lines: [],
    lans: times(count, (at) => ({
      ...{ interfaceName: `lan${at}`, vlan: 0, addresses: [`10.${at}.0.1/24`] },
    })),
  },
});
const links = (count: number) => ({
  "tunnel.4.0": { spaceId: 4, netns: null, links: times(count, (id) => ({ id })) },
});
const accepted = (count: number, neighbors: number) => ({
  "routing.4": {
    announce: [],
    neighbors: times(neighbors, (linkId) => ({
      ...{ linkId, accept: times(count, (at) => `10.${at}.0.0/24`) },
    })),
  },
});
const cause = (text: string, more: Partial<Accounting> = {}): Accounting => ({
  ...{ cause: text, own: false, others: 0, spaces: [], ...more },
});
const weigh = (from: object, to: object, causes: Accounting[], rows: WrittenRows = {}) =>
  weighRemovals(
    differences(new Map(Object.entries(from)), new Map(Object.entries(to))),
    causes,
    rows,
  );

describe("a state that takes things away", () => {
  test("goes without a question up to ten objects", () => {
    expect(weigh(lans(10), lans(0), [])).toEqual({ removed: 10, unaccounted: 10, held: false });
    expect(weigh(lans(11), lans(0), [])).toEqual({ removed: 11, unaccounted: 11, held: true });
  });

  test("goes when people removed as much, and waits for one object more", () => {
    const removal = [cause("admin: lansection.remove", { own: true })];
    expect(weigh(lans(20), lans(0), removal, { lansection: 20 }).held).toBe(false);
    expect(weigh(lans(20), lans(0), removal, { lansection: 9 })).toMatchObject({
      ...{ unaccounted: 2, held: true },
    });
  });

  test("waits when another kind of row was written", () => {
    const edit = [cause("admin: staticroute.add", { own: true })];
    expect(weigh(lans(20), lans(0), edit, { staticroute: 30 }).held).toBe(true);
    expect(weigh(links(20), links(0), edit, { staticroute: 30 }).held).toBe(true);
  });

  test("loses links by its space, by itself or by so many peers, and by nothing else", () => {
    const gone = (one: Accounting) => weigh(links(40), links(0), [one]).held;
    expect(gone(cause("admin: netSpace.remove", { spaces: [4] }))).toBe(false);
    expect(gone(cause("admin: netSpace.remove", { spaces: [5] }))).toBe(true);
    expect(gone(cause("admin: cpe.editEn", { own: true }))).toBe(false);
    expect(gone(cause("admin: cpe.remove", { others: 3 }))).toBe(false);
    expect(gone(cause("admin: cpe.remove", { others: 2 }))).toBe(true);
    expect(gone(cause("admin: lansection.edit", { others: 9 }))).toBe(true);
  });

  test("counts a prefix that is filtered at many links once", () => {
    const edit = [cause("admin: lansection.remove", { others: 1 })];
    const rows = { lansection: 1 };
    expect(weigh(accepted(2, 30), accepted(0, 30), edit, rows)).toMatchObject({ removed: 2 });
    expect(weigh(accepted(11, 30), accepted(0, 30), edit, rows)).toMatchObject({
      ...{ removed: 11, unaccounted: 9, held: true },
    });
  });
});
