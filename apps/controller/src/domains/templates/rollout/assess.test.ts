import { describe, expect, test } from "vitest";
import type { StoredObservation } from "#domains/templates/schema.ts";
import {
  confirmed,
  fine,
  graceMs,
  member,
  rollout,
  soakMs,
  start,
} from "../../../../test/wave-members.ts";
import { arrivalMs, assess, gapMs, recompileMs } from "./assess.ts";
import type { Member, Rollout } from "./member.ts";

/** Of its links, none is up. */
const none = { ...fine.linkIds, up: [] };
/** After so many ms, observed a moment before. */
const after = (ms: number, one: Member, more: Partial<Rollout> = {}) =>
  assess(rollout({ checkedAt: start + ms - 1_000, ...more }), one, start + ms);

describe("one CPE", () => {
  test("passes when it was fine for the soak time, and not before", () => {
    expect(after(soakMs - 1, member()).outcome).toBe("observed");
    expect(after(soakMs, member())).toMatchObject({ outcome: "passed", failure: null });
  });

  test.each([
    ["contact", { ...fine, online: false }, { seconds: 60 }],
    ["links", { ...fine, links: 1, linkIds: { wanted: [7, 8], up: [7] } }, { now: 1, before: 2 }],
    ["loss", { ...fine, loss: 5.2 }, { now: 5.2, before: 0.1 }],
  ] as const)("%s: worse than before for the grace time is a failure", (gate, seen, params) => {
    const first = after(1_000, member({ seen }));
    expect(first).toMatchObject({ failure: null, steadySince: null });
    expect(first.suspects).toEqual({ [gate]: start + 1_000 });
    const { suspects } = first;
    expect(after(graceMs + 999, member({ seen, suspects })).failure).toBeNull();
    expect(after(graceMs + 1_000, member({ seen, suspects })).failure).toEqual({ gate, params });
    // As before again: the soak time starts once more.
    const again = after(graceMs, member({ suspects, steadySince: null }));
    expect(again).toMatchObject({
      outcome: "observed",
      suspects: {},
      steadySince: start + graceMs,
    });
  });

  test("links that are up as far as was known last are no failure, and the soak time waits for their device", () => {
    const seen = { ...fine, hasStaleLinks: true };
    expect(after(soakMs, member({ seen }))).toMatchObject({
      outcome: "observed",
      suspects: {},
      failure: null,
      steadySince: null,
    });
  });

  test("a link that was removed since is not missed, and one that is down still is", () => {
    const linkIds = { wanted: [7, 8, 9], up: [7, 8] };
    const at = (
      up: number[],
      wanted: number[],
      baseline: StoredObservation = { ...fine, linkIds },
    ) => {
      const seen = { ...fine, links: up.length, linkIds: { up, wanted } };
      return after(graceMs, member({ baseline, seen, suspects: { links: start } }));
    };
    // Its space lost a POP, or the other end was disabled.
    expect(at([7], [7, 9])).toMatchObject({ outcome: "observed", suspects: {}, failure: null });
    expect(at([], []).failure).toBeNull();
    expect(at([7], [7, 8, 9]).failure).toEqual({ gate: "links", params: { now: 1, before: 2 } });
    // One that was down before may stand for another; one that is new may not.
    expect(at([7, 9], [7, 8, 9]).failure).toBeNull();
    expect(at([7, 10], [7, 8, 9, 10]).failure?.gate).toBe("links");
    const { linkIds: _, ...counted } = fine;
    expect(at([7], [7], counted).failure).toBeNull();
    expect(at([7], [7, 8], counted).failure?.gate).toBe("links");
  });

  test("without the gate of contact a CPE that is away is absent: it neither passes nor is waited for", () => {
    const off = { contact: false };
    const away = { ...fine, online: false };
    expect(after(soakMs, member({ seen: away }), off)).toMatchObject({
      outcome: "absent",
      failure: null,
      steadySince: null,
    });
    const underway = { ...away, progress: { kind: "underway" } } as const;
    expect(after(arrivalMs, member({ seen: underway }), off).outcome).toBe("absent");
    expect(after(1_000, member({ seen: underway })).outcome).toBe("underway");
  });

  test("a gate that is off sees nothing", () => {
    const off = { contact: false, links: false, loss: null, findings: false };
    const idle = { kind: "confirmed", idle: [{ key: "a/1", name: "guests" }] } as const;
    for (const seen of [
      { ...fine, links: 0, linkIds: none },
      { ...fine, loss: 90 },
      { ...fine, progress: idle },
    ]) {
      expect(after(soakMs, member({ seen }), off)).toMatchObject({
        outcome: "passed",
        suspects: {},
      });
    }
  });

  test("what was as bad before is no failure", () => {
    const before = {
      ...fine,
      online: true,
      links: 0,
      linkIds: none,
      loss: 30,
      findings: ["line wan2 noDhcp"],
    };
    const seen = { ...before, progress: confirmed };
    expect(after(soakMs, member({ baseline: before, seen })).outcome).toBe("passed");
  });

  test("an object that does not act is a failure when the preview did not show it", () => {
    const idle = [
      { key: "routerConnlimit/1", name: "guests" },
      { key: "routerUrlrule/2", name: "games" },
    ];
    const seen = { ...fine, progress: { kind: "confirmed" as const, idle } };
    const expected = { isKnown: true, objects: ["routerUrlrule/2"] };
    expect(after(0, member({ seen, expected })).failure).toEqual({
      gate: "findings",
      params: { objects: "guests", count: 1 },
    });
    const both = { isKnown: true, objects: idle.map(({ key }) => key) };
    expect(after(soakMs, member({ seen, expected: both })).outcome).toBe("passed");
    const found = { ...fine, findings: ["line wan2 noDhcp"] };
    expect(after(0, member({ seen: found })).failure?.gate).toBe("findings");
  });

  test("findings are held to those before the version, and to the first ones where none are known", () => {
    const finding = "line wan2 noDhcp";
    const unknown = { ...fine, findings: null };
    const seen = { ...fine, findings: [finding] };
    // The CPE confirmed the version before after its wave had started.
    const late = member({ baseline: unknown, seen: { ...seen, findingsBefore: [finding] } });
    expect(after(0, late)).toMatchObject({ failure: null, firstFindings: null });
    const without = member({ baseline: unknown, seen: { ...seen, findingsBefore: [] } });
    expect(after(0, without).failure?.gate).toBe("findings");
    const first = member({ baseline: unknown, seen: { ...seen, findingsBefore: null } });
    expect(after(0, first)).toMatchObject({ failure: null, firstFindings: [finding] });
    // From then on it is held to them, and to what the version brings in any case.
    const more = { ...first.seen, findings: [finding, "lan lan0 noVlan"] };
    const kept = { ...first, baseline: { ...fine, findings: [finding] } };
    expect(after(0, kept)).toMatchObject({ failure: null, firstFindings: null });
    expect(after(0, { ...kept, seen: more }).failure).toEqual({
      gate: "findings",
      params: { objects: "lan lan0 noVlan", count: 1 },
    });
    const idle = { kind: "confirmed" as const, idle: [{ key: "a/1", name: "guests" }] };
    expect(after(0, { ...first, seen: { ...first.seen, progress: idle } }).failure).toEqual({
      gate: "findings",
      params: { objects: "guests", count: 1 },
    });
  });

  test("a device that refuses the version, and one that does not run it in time, are failures", () => {
    const refused = { ...fine, progress: { kind: "failed" as const, reason: "no such interface" } };
    expect(after(0, member({ seen: refused })).failure).toEqual({
      gate: "task",
      params: { reason: "no such interface" },
    });
    const underway = member({ seen: { ...fine, progress: { kind: "underway" as const } } });
    // The last observation was a second before.
    expect(after(0, { ...underway, awaitedMs: arrivalMs - 1_001 })).toMatchObject({
      outcome: "underway",
      awaitedMs: arrivalMs - 1,
      failure: null,
    });
    const late = after(0, { ...underway, awaitedMs: arrivalMs - 1_000 });
    expect(late.failure).toEqual({ gate: "arrival", params: { seconds: arrivalMs / 1_000 } });
  });

  test("a compile that keeps failing is a failure, unless it failed before as well", () => {
    const failure = { code: "unreadable", detail: "acl_rule" } as const;
    const seen = { ...fine, failure, progress: { kind: "uncompiled" as const } };
    const first = after(1_000, member({ seen }));
    expect(first).toMatchObject({ outcome: "underway", failure: null });
    expect(first.suspects).toEqual({ task: start + 1_000 });
    const { suspects } = first;
    const compared = { failure, without: null };
    expect(after(graceMs + 1_000, member({ seen, suspects })).failure).toBeNull();
    expect(after(graceMs + 1_000, member({ seen, suspects, compared })).failure).toEqual({
      gate: "task",
      params: { reason: JSON.stringify(failure) },
    });
    // It is not over sooner than the next try of the compile.
    const soon = { graceMs: 5_000 };
    const known = member({ seen, suspects, compared });
    expect(after(recompileMs + 999, known, soon).failure).toBeNull();
    expect(after(recompileMs + 1_000, known, soon).failure?.gate).toBe("task");
    expect(after(recompileMs + 999, member({ suspects }), soon)).toMatchObject({
      outcome: "observed",
      suspects: {},
    });
    const before = member({ seen, suspects, baseline: { ...fine, failure } });
    expect(after(graceMs + 1_000, before)).toMatchObject({ outcome: "held", heldBy: "compile" });
    const other = { ...fine, failure: { ...failure, code: "broken" as const } };
    const changed = { ...before, baseline: other, compared };
    expect(after(graceMs + 1_000, changed).failure?.gate).toBe("task");
  });

  test("a device that gets the version once more is not late meanwhile", () => {
    const seen = { ...fine, progress: { kind: "retry" as const } };
    expect(after(0, member({ seen, awaitedMs: arrivalMs }))).toMatchObject({
      outcome: "underway",
      failure: null,
      awaitedMs: 0,
    });
  });

  test("only time in which a device was observed in contact counts towards its arrival", () => {
    const underway = member({ seen: { ...fine, progress: { kind: "underway" as const } } });
    const most = { ...underway, awaitedMs: arrivalMs - 1 };
    // The controller was not there for an hour.
    const paused = assess(rollout({ checkedAt: start }), most, start + 3_600_000);
    expect(paused).toMatchObject({ failure: null, awaitedMs: arrivalMs - 1 });
    const away = { ...most, seen: { ...most.seen, online: false } };
    expect(after(0, away)).toMatchObject({ failure: null, awaitedMs: arrivalMs - 1 });
    expect(after(0, { ...most, seen: fine }).awaitedMs).toBe(0);
  });

  test.each(["pin", "approval"] as const)(
    "one that is held (%s) is neither late nor passed",
    (by) => {
      const seen = { ...fine, progress: { kind: "held" as const, by } };
      const held = member({ seen, awaitedMs: arrivalMs });
      expect(after(soakMs, held)).toEqual({
        nodeId: 1,
        outcome: "held",
        heldBy: by,
        failure: null,
        suspects: {},
        steadySince: null,
        awaitedMs: 0,
        firstFindings: null,
      });
    },
  );

  test("rules of the version reach a pinned CPE, and nothing of it one that waits for approval", () => {
    const suspects = { contact: start };
    const at = (by: "pin" | "approval") => {
      const seen = { ...fine, online: false, progress: { kind: "held" as const, by } };
      return after(graceMs, member({ seen, suspects }));
    };
    expect(at("pin")).toMatchObject({ outcome: "held", failure: { gate: "contact" } });
    expect(at("approval")).toMatchObject({ outcome: "held", suspects: {}, failure: null });
  });

  test("one that was not in contact is absent, until it comes", () => {
    const gone = { ...fine, online: false, links: 0, progress: { kind: "underway" as const } };
    const absent = member({ baseline: gone, seen: gone, steadySince: null });
    expect(after(arrivalMs, absent)).toMatchObject({ outcome: "absent", failure: null });
    expect(after(0, { ...absent, seen: fine }).outcome).toBe("observed");
  });

  test("one that came later and confirmed the version is held to contact like the others", () => {
    const gone = { ...fine, online: false, links: 0, progress: { kind: "underway" as const } };
    const cutOff = member({
      baseline: gone,
      seen: { ...fine, online: false, links: 0 },
      steadySince: start,
    });
    expect(after(soakMs, cutOff)).toMatchObject({
      outcome: "observed",
      steadySince: null,
      failure: null,
      suspects: { contact: start + soakMs },
    });
    const suspects = { contact: start };
    expect(after(graceMs, { ...cutOff, suspects }).failure).toMatchObject({ gate: "contact" });
  });

  test("after a pause of the observation, times start once more", () => {
    const pause = { checkedAt: start };
    const seen = { ...fine, online: false };
    const late = assess(
      rollout(pause),
      member({ seen, suspects: { contact: start } }),
      start + gapMs,
    );
    expect(late).toMatchObject({ failure: null, suspects: { contact: start + gapMs } });
    expect(assess(rollout(pause), member(), start + soakMs)).toMatchObject({
      outcome: "observed",
      steadySince: start + soakMs,
    });
  });
});
