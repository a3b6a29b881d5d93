import { describe, expect, test } from "vitest";
import type { Extent, Path } from "#domains/notifications/root-causes/public.ts";
import { type ActiveAlarm, groupAlarms } from "./inbox.ts";

const noon = Date.parse("2026-11-26T12:00:00Z");
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

let made = 0;
const alarm = (nodeId: number, more: Partial<ActiveAlarm> = {}): ActiveAlarm => {
  made += 1;
  return {
    id: made,
    level: 2,
    metric: "node",
    nodeId,
    nodeKind: "cpe",
    nodeName: `site ${nodeId}`,
    enterpriseId: 1 + (nodeId % 4),
    enterpriseName: `enterprise ${nodeId % 4}`,
    ways: [],
    openedAt: new Date(noon + nodeId * 1_000),
    ...more,
  };
};
const path = (siteId: number, isp: string, more: Partial<Path> = {}): Path => ({
  siteId,
  siteName: `site ${siteId}`,
  enterpriseId: 1 + (siteId % 4),
  popName: "pop",
  enterpriseName: `enterprise ${siteId % 4}`,
  popId: 900,
  isp,
  links: 1,
  bad: 0,
  down: 0,
  loss: null,
  since: null,
  ...more,
});
const bad = { bad: 1, down: 1, since: new Date(noon) };
const carriers = (sites: number, ...isps: string[]): Extent[] =>
  isps.map((isp) => ({ popId: null, isp, sites }));
const lineOf = (siteId: number, isp: string, more: Partial<ActiveAlarm> = {}) =>
  alarm(siteId, { metric: "line", ways: [{ siteId, isp }], ...more });
const linkOf = (siteId: number, isp: string) =>
  alarm(siteId, { metric: "link", level: 3, ways: [{ siteId, isp, popId: 900 }] });

describe("alarms with one cause are one group", () => {
  test("lines and links of many sites over one carrier, with its extent", () => {
    const alarms = range(19).flatMap((id) => [lineOf(id, "电信"), linkOf(id, "电信")]);
    const paths = range(19).flatMap((id) => [path(id, "电信", bad), path(id, "联通")]);
    const [group, ...others] = groupAlarms(alarms, {
      paths,
      extents: carriers(20, "电信", "联通"),
      seen: 20,
    });
    expect(others).toEqual([]);
    expect(group).toMatchObject({ level: 2, snoozeKey: "c:电信" });
    expect(group?.cause).toMatchObject({ kind: "carrier", isp: "电信", sites: 19, enterprises: 4 });
    expect(group?.alarms).toHaveLength(38);
  });

  test("a site before its line, a line before its links", () => {
    const alarms = [
      linkOf(7, "移动"),
      lineOf(7, "移动"),
      alarm(7, { level: 1 }),
      alarm(8, { metric: "cpu", level: 4 }),
    ];
    const groups = groupAlarms(alarms, {
      paths: [path(7, "移动", bad)],
      extents: carriers(9, "移动"),
      seen: 100,
    });
    expect(groups.map(({ cause, level, alarms: own }) => [cause.kind, level, own.length])).toEqual([
      ["node", 1, 3],
      ["node", 4, 1],
    ]);
    expect(groups[0]?.cause).toMatchObject({ state: "offline", named: [{ id: 7 }] });
    expect(groups[0]?.alarms.map(({ metric }) => metric)).toEqual(["node", "line", "link"]);
  });

  test("a POP without contact and the links to it", () => {
    const pop = alarm(900, { nodeKind: "pop", nodeName: "pop", level: 1 });
    const sites = range(4).map((id) => linkOf(id, id % 2 === 0 ? "电信" : "联通"));
    const groups = groupAlarms([...sites, pop], {
      paths: range(4).map((id) => path(id, id % 2 === 0 ? "电信" : "联通", bad)),
      extents: carriers(30, "电信", "联通"),
      seen: 30,
    });
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({
      level: 1,
      snoozeKey: "n:900",
      cause: { kind: "pop", popId: 900, sites: 4 },
    });
  });

  test("a controller without sight: contact lost with most devices is one event", () => {
    const alarms = range(40).flatMap((id) => [
      alarm(id, { level: 1, openedAt: new Date(noon + id * 1_000) }),
      linkOf(id, "电信"),
    ]);
    const groups = groupAlarms(alarms, {
      paths: range(40).map((id) => path(id, "电信", bad)),
      extents: carriers(40, "电信"),
      seen: 44,
    });
    expect(groups).toHaveLength(1);
    expect(groups[0]?.cause).toMatchObject({ kind: "contact", sites: 40, enterprises: 4 });
    expect(groups[0]?.alarms).toHaveLength(80);
  });

  test("refused configurations are looked at together; what is alone stays alone", () => {
    const groups = groupAlarms(
      [
        ...range(3).map((id) => alarm(id, { metric: "config", level: 1 })),
        alarm(5, { metric: "mem", level: 3 }),
        alarm(6, { metric: "mem", level: 3 }),
      ],
      { paths: [], extents: [], seen: 10 },
    );
    expect(groups.map(({ cause, alarms }) => [cause.kind, cause.sites, alarms.length])).toEqual([
      ["state", 3, 3],
      ["node", 1, 1],
      ["node", 1, 1],
    ]);
  });
});

test("a group keeps its id while the cause is the same, and every alarm is in exactly one", () => {
  const paths = range(6).map((id) => path(id, "电信", bad));
  const facts = { paths, extents: carriers(6, "电信"), seen: 60 };
  const first = groupAlarms(
    range(5).map((id) => lineOf(id, "电信")),
    facts,
  );
  const alarms = [...range(6).map((id) => lineOf(id, "电信")), alarm(3, { metric: "rollout" })];
  const second = groupAlarms(alarms, facts);
  expect(second[0]?.id).toBe(first[0]?.id);
  const ids = second.flatMap((group) => group.alarms.map(({ id }) => id));
  expect(ids.toSorted((a, b) => a - b)).toEqual(
    alarms.map(({ id }) => id).toSorted((a, b) => a - b),
  );
});
