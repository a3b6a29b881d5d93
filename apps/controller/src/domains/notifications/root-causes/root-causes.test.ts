import { describe, expect, test } from "vitest";
import { type Extent, type Facts, type Path, rootCauses, type Trouble } from "./root-causes.ts";

const noon = Date.parse("2026-11-25T12:00:00Z");
const at = (seconds: number): Date => new Date(noon + seconds * 1_000);
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const node = (id: number, state: Trouble["state"], more: Partial<Trouble> = {}): Trouble => ({
  id,
  kind: "cpe",
  name: `site ${id}`,
  enterpriseId: 1,
  enterpriseName: "one",
  state,
  detail: {},
  since: at(0),
  ...more,
});
/** The only link of a site to a POP over a carrier, which is up and well unless `more` says otherwise. */
const path = (
  siteId: number,
  popId: number | null,
  isp: string,
  more: Partial<Path> = {},
): Path => ({
  siteId,
  siteName: `site ${siteId}`,
  enterpriseId: 1,
  enterpriseName: "one",
  popId,
  popName: popId === null ? "" : `pop ${popId}`,
  isp,
  links: 1,
  bad: 0,
  down: 0,
  loss: null,
  since: null,
  ...more,
});
const down = { bad: 1, down: 1, since: at(0) };
const poor = { bad: 1, loss: 6.5, since: at(0) };

const extentsOf = (paths: readonly Path[]): Extent[] => {
  const sites = new Map<string, Set<number>>();
  for (const { popId, isp, siteId } of paths) {
    for (const key of [
      [popId, isp],
      [popId, null],
      [null, isp],
    ]) {
      const text = JSON.stringify(key);
      sites.set(text, (sites.get(text) ?? new Set()).add(siteId));
    }
  }
  return [...sites].map(([key, { size }]) => {
    const [popId, isp] = JSON.parse(key) as [number | null, string | null];
    return { popId, isp, sites: size };
  });
};
const any = { popId: null, isp: null, enterprises: null };
const factsOf = (troubles: readonly Trouble[], paths: readonly Path[] = []): Facts => ({
  troubles,
  paths,
  extents: extentsOf(paths),
  seen: 100,
});
const causesOf = (troubles: readonly Trouble[], paths: readonly Path[] = []) =>
  rootCauses(factsOf(troubles, paths), any);

describe("contact", () => {
  const lost = (count: number, everySeconds: number) =>
    range(count).map((id) => node(id, "offline", { since: at(id * everySeconds) }));

  test("lost by most devices within a moment is one cause", () => {
    const causes = rootCauses({ ...factsOf(lost(6, 10)), seen: 10 }, any);
    expect(causes).toMatchObject([
      { kind: "contact", tone: "bad", state: "offline", sites: 6, since: at(10) },
    ]);
    expect(causes[0]?.named.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });
  test("lost by few of the devices, or one after the other, is not", () => {
    const few = rootCauses({ ...factsOf(lost(6, 10)), seen: 20 }, any);
    const slow = rootCauses({ ...factsOf(lost(6, 60)), seen: 10 }, any);
    expect([few, slow].map(([first]) => first?.kind)).toEqual(["state", "state"]);
  });
  test("lost without the tunnels is a warning, and explains links that are no longer measured", () => {
    const troubles = range(6).map((id) => node(id, "outOfContact"));
    const paths = range(6).map((id) => path(id, 90, "telecom", down));
    expect(rootCauses({ ...factsOf(troubles, paths), seen: 6 }, any)).toMatchObject([
      { kind: "contact", tone: "warn", sites: 6 },
    ]);
  });
});

describe("a POP", () => {
  const deadPop = node(90, "offline", { kind: "pop", name: "pop 90", since: at(-30) });

  test("without contact explains the links of its sites, and what these are called by", () => {
    const paths = range(2).flatMap((id) => [
      path(id, 90, "telecom", down),
      path(id, 91, "telecom"),
    ]);
    const troubles = [deadPop, node(1, "degraded"), node(2, "degraded", { enterpriseId: 2 })];
    expect(causesOf(troubles, paths)).toMatchObject([
      {
        kind: "pop",
        tone: "bad",
        state: "offline",
        popId: 90,
        popName: "pop 90",
        sites: 2,
        links: 2,
        since: at(-30),
      },
    ]);
  });
  test("without contact and without sites is a node like others", () => {
    expect(causesOf([deadPop])).toMatchObject([{ kind: "node", named: [{ kind: "pop" }] }]);
  });
  test("whose only site is away is not the cause of that", () => {
    const alone = node(90, "cutOff", { kind: "pop", name: "pop 90" });
    const causes = causesOf([alone, node(1, "offline")], [path(1, 90, "telecom", down)]);
    expect(causes.map(({ kind, state }) => [kind, state])).toEqual([
      ["node", "offline"],
      ["node", "cutOff"],
    ]);
  });
  test("with trouble over several carriers is one cause, and the carriers are none", () => {
    const over = (isp: string, from: number) =>
      range(3).flatMap((id) => [path(id + from, 90, isp, poor), path(id + from, 91, isp)]);
    const paths = [...over("telecom", 0), ...over("mobile", 10)];
    const troubles = paths.filter(({ bad }) => bad).map(({ siteId }) => node(siteId, "poor"));
    expect(causesOf(troubles, paths)).toMatchObject([
      { kind: "pop", tone: "warn", state: null, popId: 90, isp: "", sites: 6, links: 6, loss: 6.5 },
    ]);
  });
});

describe("a carrier", () => {
  test("with trouble at most of its sites, to several POPs, is one cause with its extent", () => {
    const paths = range(4).flatMap((id) => [
      path(id, 90 + (id % 2), "telecom", { ...poor, since: at(id), enterpriseId: id % 3 }),
      path(id, 90, "mobile"),
    ]);
    const troubles = range(4).map((id) => node(id, "poor"));
    expect(causesOf(troubles, paths)).toMatchObject([
      {
        kind: "carrier",
        isp: "telecom",
        popId: null,
        tone: "warn",
        state: null,
        sites: 4,
        enterprises: 3,
        links: 4,
        loss: 6.5,
        since: at(2),
      },
    ]);
  });
  test("names the POP when only paths to it have trouble", () => {
    const paths = range(3).flatMap((id) => [
      path(id, 90, "telecom", down),
      path(id, 91, "telecom"),
      path(10 + id, 91, "telecom"),
      path(20 + id, 90, "mobile"),
      path(30 + id, 91, "telecom"),
    ]);
    const troubles = range(3).map((id) => node(id, "degraded"));
    expect(causesOf(troubles, paths)).toMatchObject([
      { kind: "carrier", isp: "telecom", popId: 90, popName: "pop 90", tone: "bad", sites: 3 },
    ]);
  });
  test("with trouble at two sites, or at few of many, is none", () => {
    const two = range(2).map((id) => path(id, 90, "telecom", down));
    const few = range(3).map((id) => path(id, 90, "telecom", down));
    const well = range(10).map((id) => path(10 + id, 90, "telecom"));
    const kinds = (paths: readonly Path[]) =>
      causesOf(
        paths.filter(({ bad }) => bad).map(({ siteId }) => node(siteId, "cutOff")),
        paths,
      ).map(({ kind }) => kind);
    expect(kinds(two)).toEqual(["node", "node"]);
    expect(kinds([...few, ...well])).toEqual(["node", "node", "node"]);
  });
  test("is not blamed for sites that have trouble over each of several", () => {
    const paths = range(3).flatMap((id) => [
      path(id, 90, "telecom", down),
      path(id, 91, "mobile", down),
    ]);
    const troubles = range(3).map((id) => node(id, "cutOff"));
    expect(causesOf(troubles, paths).map(({ kind }) => kind)).toEqual(["node", "node", "node"]);
  });
  test("that is the only way of a site explains that the site is away; a POP does not", () => {
    const away = range(3).map((id) => node(id, "offline", { since: at(id * 600) }));
    const paths = range(3).map((id) => path(id, 90, "telecom", down));
    expect(causesOf(away, paths).map(({ kind }) => kind)).toEqual(["carrier"]);
    const pop = node(90, "offline", { kind: "pop" });
    expect(
      causesOf([pop, ...away], paths)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["node", "node", "node", "pop"]);
  });
  test("that is not known is never a cause", () => {
    const paths = range(3).map((id) => path(id, 90, "", down));
    const troubles = range(3).map((id) => node(id, "cutOff"));
    expect(causesOf(troubles, paths).map(({ kind }) => kind)).toEqual(["node", "node", "node"]);
  });
});

describe("what is left over", () => {
  test("is folded by state: outages from five on, configurations from two on", () => {
    const outages = (count: number) => range(count).map((id) => node(id, "offline"));
    expect(causesOf(outages(4)).map(({ kind }) => kind)).toEqual(["node", "node", "node", "node"]);
    expect(causesOf(outages(5))).toMatchObject([{ kind: "state", state: "offline", sites: 5 }]);
    expect(causesOf([node(1, "drifted"), node(2, "drifted")])).toMatchObject([
      { kind: "state", state: "drifted", tone: "warn", sites: 2 },
    ]);
  });
  test("keeps the detail of a single node, and POPs apart from sites", () => {
    const pop = node(90, "drifted", { kind: "pop", detail: { count: 2 } });
    const causes = causesOf([node(1, "drifted", { detail: { count: 3 } }), pop]);
    expect(causes.map(({ kind, detail }) => [kind, detail.count])).toEqual([
      ["node", 3],
      ["node", 2],
    ]);
  });
  test("of a site stays when a cause explains only some of its bad links", () => {
    const paths = range(3).map((id) => path(id, 90, "telecom", down));
    const own = path(1, null, "mobile", down);
    const well = path(1, 91, "mobile");
    const troubles = range(3).map((id) => node(id, "degraded"));
    const causes = causesOf(troubles, [...paths, own, well]);
    expect(causes.map(({ kind, named }) => [kind, named.length])).toEqual([
      ["carrier", 3],
      ["node", 1],
    ]);
  });
});

test("the worst comes first: by tone, then by sites, then by state, then the newest", () => {
  const causes = causesOf([
    node(1, "expired"),
    node(2, "expired"),
    node(3, "held"),
    node(4, "cutOff", { since: at(5) }),
    node(5, "cutOff", { since: at(9) }),
    node(6, "offline"),
  ]);
  expect(causes.map(({ state, named }) => [state, named[0]?.id])).toEqual([
    ["offline", 6],
    ["cutOff", 5],
    ["cutOff", 4],
    ["expired", 1],
    ["held", 3],
  ]);
});

describe("a choice", () => {
  const paths = [
    ...range(3).flatMap((id) => [path(id, 90, "telecom", down), path(id, 91, "mobile")]),
    path(4, 91, "mobile", down),
    path(4, 90, "mobile"),
  ];
  const pop = node(91, "drifted", { kind: "pop" });
  const troubles = [...range(4).map((id) => node(id, "degraded")), pop];
  const selected = (popId: number | null, isp: string | null) =>
    rootCauses(factsOf(troubles, paths), { popId, isp, enterprises: null }).map(
      ({ kind, sites }) => [kind, sites],
    );

  test("leaves the causes that concern a POP, a carrier or both, each with its whole extent", () => {
    expect(selected(null, null)).toEqual([
      ["carrier", 3],
      ["node", 1],
      ["node", 1],
    ]);
    expect(selected(90, "telecom")).toEqual([["carrier", 3]]);
    expect(selected(91, "mobile")).toEqual([["node", 1]]);
    expect(selected(91, null)).toEqual([
      ["node", 1],
      ["node", 1],
    ]);
    expect(selected(92, null)).toEqual([]);
  });
});
