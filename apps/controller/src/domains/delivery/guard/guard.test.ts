import { describe, expect, test } from "vitest";
import { differences } from "#domains/delivery/history/difference.ts";
import type { Cause, WrittenRow } from "./accounting.ts";
import { assessRemovals } from "./guard.ts";

const times = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at));
const lans = (count: number) => ({
  underlay: {
    lines: [],
    lans: times(count, (at) => ({
      interfaceName: `lan${at}`,
      vlan: 0,
      network: `10.${at}.0.0/24`,
      addresses: [`10.${at}.0.1/24`],
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
      linkId,
      accept: times(count, (at) => `10.${at}.0.0/24`),
    })),
  },
});
const cause = (text: string, more: Partial<Cause> = {}): Cause => ({
  cause: text,
  requestId: "r1",
  own: false,
  others: 0,
  ...more,
});
/** Rows as the operation log records them; removed unless `now` is given. */
const written = (resource: string, count: number, more: Partial<WrittenRow> = {}): WrittenRow[] =>
  times(count, (at) => ({ resource, rowId: at + 100, old: {}, now: null, ...more }));
const node = 3;
const assess = (from: object, to: object, causes: Cause[], rows: WrittenRow[] = [], nowMs = 0) =>
  assessRemovals({
    nodeId: node,
    causes,
    rows,
    nowMs,
    found: differences(new Map(Object.entries(from)), new Map(Object.entries(to))),
  });

describe("a state that removes objects", () => {
  test("is sent without approval up to ten objects", () => {
    expect(assess(lans(10), lans(0), [])).toEqual({ removed: 10, unaccounted: 10, held: false });
    expect(assess(lans(11), lans(0), [])).toEqual({ removed: 11, unaccounted: 11, held: true });
  });

  test("loses no LAN that is on another interface from now on, as one of a VLAN that the device makes", () => {
    const tagged = (isMade: boolean) => ({
      underlay: {
        lines: [],
        lans: times(20, (at) => ({
          interfaceName: isMade ? `lan0.${at + 1}` : "lan0",
          vlan: isMade ? 0 : at + 1,
          network: `10.${at}.0.0/24`,
          addresses: [`10.${at}.0.1/24`],
        })),
      },
    });
    expect(assess(tagged(false), tagged(true), []).removed).toBe(0);
    expect(assess(tagged(true), tagged(false), []).removed).toBe(0);
    expect(assess(tagged(false), lans(5), [])).toMatchObject({ removed: 15, held: true });
  });

  test("is sent when users removed as many, and is held for one object more", () => {
    const removal = [cause("admin: lansection.remove", { own: true })];
    expect(assess(lans(20), lans(0), removal, written("lansection", 20)).held).toBe(false);
    expect(assess(lans(20), lans(0), removal, written("lansection", 9))).toMatchObject({
      unaccounted: 2,
      held: true,
    });
  });

  test("is held when rows of another kind or another node were written", () => {
    const edit = [cause("admin: staticroute.add", { own: true })];
    expect(assess(lans(20), lans(0), edit, written("staticroute", 30)).held).toBe(true);
    expect(assess(links(20), links(0), edit, written("staticroute", 30)).held).toBe(true);
    const foreign = written("lansection", 30, { old: { nCpeID: node + 1 } });
    expect(assess(lans(20), lans(0), edit, foreign).held).toBe(true);
  });

  test("counts rules, accounts and settings by kind, and only rows of that kind account for them", () => {
    const rules = (count: number) => ({
      firewall: { acl: times(count, (at) => ({ action: "drop", source: `10.0.${at}.0/24` })) },
    });
    const peers = (count: number, until: number | null = null) => ({
      "client.4": { spaceId: 4, peers: times(count, (id) => ({ id, until })) },
    });
    const own = [cause("admin: cpe.edit", { own: true })];
    const edited = written("cpe", 1, { rowId: node, old: { alias: "a" }, now: { alias: "b" } });
    const kinds = [
      [rules, "xaclrules"],
      [peers, "account"],
    ] as const;
    for (const [make, resource] of kinds) {
      expect(assess(make(30), make(0), own, edited)).toMatchObject({ removed: 30, held: true });
      expect(assess(make(30), make(0), own, written(resource, 29)).unaccounted).toBe(1);
      expect(assess(make(30), make(0), own, written(resource, 30)).held).toBe(false);
    }
    const cleared = written("xaclrules", 1, { old: { rules: times(30, String) } });
    expect(assess(rules(30), rules(0), own, cleared).held).toBe(false);
    const off = { rowId: node, old: { nXACLEnabled: "1" }, now: { nXACLEnabled: "0" } };
    expect(assess(rules(30), rules(0), own, written("cpeCfg", 1, off)).held).toBe(false);
    expect(assess(rules(30), rules(0), own, written("blacklist", 15)).held).toBe(false);
    expect(assess(peers(30), peers(0), own, written("clientConfig", 1)).held).toBe(false);
    // An expired CPE is removed automatically.
    expect(assess(peers(30, 1_000), peers(0), own, [], 999).held).toBe(true);
    expect(assess(peers(30, 1_000), peers(0), own, [], 1_000).held).toBe(false);
    const system = { system: { restartAt: { hour: 3, minute: 0 }, drift: "flag" } };
    expect(assess({ ...lans(10), ...system }, lans(0), own)).toEqual({
      removed: 12,
      unaccounted: 12,
      held: true,
    });
  });

  test("loses the objects of its template with a version, also with a wave and with its rollback", () => {
    const policies = (count: number) => ({
      policy: { limits: times(count, (id) => ({ id, max: 10, perSecond: null })) },
    });
    const removed = (text: string) =>
      assess(policies(30), policies(0), [cause(text, { own: true })]);
    expect(removed("admin: cpe.edit")).toMatchObject({ removed: 30, held: true });
    for (const call of ["routerTemplate.issue", "routerTemplateRel.remove"]) {
      expect(removed(`admin: ${call}`).held).toBe(false);
    }
    expect(removed("system: routerTemplateRollout.step").held).toBe(false);
    expect(removed("admin: routerTemplateRollout.rollBack").held).toBe(false);
  });

  test("loses the networks of a space that it leaves, and those of sites that leave it", () => {
    const closed = (count: number) => ({
      "space.4": { spaceId: 4, netns: null, networks: times(count, (at) => `10.${at}.0.0/24`) },
    });
    const change = [cause("admin: netSpace.edit", { own: true })];
    const space = (old: object, now: object | null): WrittenRow[] => [
      { resource: "netSpace", rowId: 4, old: { ...old }, now: now && { ...now } },
    ];
    const held = (from: object, to: object, rows: WrittenRow[]) =>
      assess(from, to, change, rows).held;
    expect(held(closed(12), {}, [])).toBe(true);
    expect(held(closed(12), {}, space({ cpeIds: [node, 9] }, { cpeIds: [9] }))).toBe(false);
    expect(held(closed(12), {}, space({ cpeIds: [node, 9] }, null))).toBe(false);
    expect(held(closed(32), closed(12), space({ cpeIds: [node, 9] }, { cpeIds: [node] }))).toBe(
      false,
    );
    // No action of a user removes a site.
    expect(held(closed(32), closed(12), space({ name: "a" }, { name: "b" }))).toBe(true);
  });

  test("loses links by its space, its switch, its line or its peers, and by nothing else", () => {
    const all = (slot: number) => ({
      "tunnel.4.0": { spaceId: 4, links: times(40, (id) => ({ id, slot })) },
    });
    const gone = (one: Cause, rows: WrittenRow[] = []) =>
      assess(all(2), links(0), [one], rows).held;
    const space = (rowId: number, old: object, now: object | null) =>
      written("netSpace", 1, {
        rowId,
        old: { topology: 0, ...old },
        now: now && { topology: 0, ...now },
      });
    const change = cause("admin: netSpace.edit", { own: true });
    expect(gone(change, space(4, { cpeIds: [node, 9] }, { cpeIds: [9] }))).toBe(false);
    expect(gone(change, space(4, { cpeIds: [node, 9] }, null))).toBe(false);
    expect(gone(change, space(4, {}, { topology: 1 }))).toBe(false);
    expect(gone(change, space(4, { name: "a" }, { name: "b" }))).toBe(true);
    expect(gone(change, space(5, { cpeIds: [node] }, { cpeIds: [] }))).toBe(true);
    expect(gone(change, space(4, { cpeIds: [7, 8, 9] }, { cpeIds: [] }))).toBe(false);
    expect(gone(change, space(4, { cpeIds: [8, 9] }, { cpeIds: [] }))).toBe(true);
    const edited = (old: WrittenRow["old"], now: WrittenRow["now"]) =>
      written("cpe", 1, { rowId: node, old, now });
    // That a change names the node does not account for its links.
    expect(gone(cause("admin: cpe.edit", { own: true }))).toBe(true);
    expect(gone(change, edited({ alias: "a" }, { alias: "b" }))).toBe(true);
    expect(gone(change, edited({ enable: true }, { enable: false }))).toBe(false);
    expect(gone(change, edited({ groupid: 1 }, { groupid: 2 }))).toBe(false);
    const line = (slot: number) => written("line", 1, { old: { nodeId: node, slot } });
    expect(gone(change, line(2))).toBe(false);
    expect(gone(change, line(1))).toBe(true);
    expect(gone(cause("admin: cpe.remove", { others: 3 }), written("cpe", 3))).toBe(false);
    expect(gone(cause("admin: cpe.remove", { others: 3 }), written("cpe", 2))).toBe(true);
    expect(gone(cause("edge: report", { requestId: "", own: true }))).toBe(true);
    expect(gone(cause("edge: report", { requestId: "", others: 3 }))).toBe(false);
    expect(gone(cause("system: expired", { requestId: "", own: true }))).toBe(false);
  });

  test("does not count a link that returns under a new number to the same peer", () => {
    const to = (from: number) => ({
      "tunnel.4.0": {
        spaceId: 4,
        links: times(40, (at) => ({ id: from + at, slot: 1, peerKey: `key ${at}` })),
      },
    });
    const report = cause("edge: report", { requestId: "", own: true });
    expect(assess(to(1), to(100), [report])).toEqual({ removed: 0, unaccounted: 0, held: false });
  });

  test("counts the preference of a network as part of it, and as a setting while the network stays", () => {
    const prefixes = times(20, (at) => `10.${at}.0.0/24`);
    const ranks = prefixes.map((prefix) => ({ prefix, preference: 2 }));
    const ranked = { "routing.4": { announce: prefixes, ranks, neighbors: [] } };
    const withdrawn = { "routing.4": { announce: [], neighbors: [] } };
    const plain = { "routing.4": { announce: prefixes, neighbors: [] } };
    const removal = [cause("admin: routeNotice.remove", { own: true })];
    const rows = written("routeNotice", 20);
    expect(assess(ranked, withdrawn, removal, rows)).toMatchObject({ removed: 20, held: false });
    expect(assess(ranked, withdrawn, removal, rows.slice(1))).toMatchObject({
      unaccounted: 1,
      held: true,
    });
    const edit = [cause("admin: routeNotice.edit", { own: true })];
    expect(assess(ranked, plain, edit, rows)).toMatchObject({ removed: 20, held: false });
    expect(assess(ranked, plain, edit)).toMatchObject({ unaccounted: 20, held: true });
  });

  test("counts a prefix that is filtered at many links once", () => {
    const edit = [cause("admin: lansection.remove", { others: 1 })];
    const rows = written("lansection", 1, { old: { nCpeID: 9 } });
    expect(assess(accepted(2, 30), accepted(0, 30), edit, rows)).toMatchObject({ removed: 2 });
    expect(assess(accepted(11, 30), accepted(0, 30), edit, rows)).toMatchObject({
      removed: 11,
      unaccounted: 9,
      held: true,
    });
  });
});
