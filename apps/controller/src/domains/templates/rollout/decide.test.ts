import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { confirmed, fine, member, rollout, soakMs, start } from "../../../../test/wave-members.ts";
import { type Decision, decide } from "./decide.ts";
import type { Member, Rollout, Seen } from "./member.ts";

describe("a rollout", () => {
  const waiting = { startedAt: null, baseline: null, steadySince: null };
  test("previews what will not act, and then starts its wave", () => {
    const members = [member(waiting), member({ nodeId: 2, wave: 2, ...waiting })];
    expect(decide(rollout(), members, [1, 2], start)).toEqual({
      kind: "prepare",
      nodeIds: [1, 2],
      assessed: [],
    });
    expect(decide(rollout(), members, [], start)).toEqual({ kind: "start", wave: 1, nodeIds: [1] });
  });

  test("waits for a device of a wave that has none in contact, for the soak time", () => {
    const members = [member({ ...waiting, seen: { ...fine, online: false } })];
    const at = (now: number, checkedAt = now - 1_000) =>
      decide(rollout({ checkedAt }), members, [], now).kind;
    expect(at(start + soakMs - 1)).toBe("observe");
    expect(at(start + soakMs)).toBe("start");
    expect(at(start + soakMs, start)).toBe("observe");
  });

  test("fails with one CPE; otherwise continues, waits for approval or ends with its wave", () => {
    const now = start + soakMs;
    const at = (more: Partial<Rollout>, ...members: Member[]) =>
      decide(rollout({ checkedAt: now - 1_000, ...more }), members, [], now).kind;
    const bad = member({ nodeId: 2, seen: { ...fine, progress: { kind: "failed", reason: "" } } });
    expect(at({}, member(), bad)).toBe("fail");
    expect(at({}, member())).toBe("advance");
    expect(at({ askEach: true }, member())).toBe("ask");
    expect(at({ wave: 3 }, member({ wave: 3 }))).toBe("complete");
    expect(at({}, member(), member({ nodeId: 2, steadySince: start + 1 }))).toBe("observe");
    // Its last CPE left the template.
    expect(at({})).toBe("advance");
  });

  test("does not go on by itself over a wave of which no CPE was in contact", () => {
    const now = start + soakMs;
    const gone = { ...fine, online: false, progress: { kind: "underway" as const } };
    const absent = member({ baseline: gone, seen: gone, steadySince: null });
    const at = (more: Partial<Rollout>, ...members: Member[]) =>
      decide(rollout({ checkedAt: now - 1_000, ...more }), members, [], now).kind;
    expect(at({}, absent)).toBe("ask");
    expect(at({}, absent, member({ nodeId: 2 }))).toBe("advance");
    expect(at({ wave: 3 }, { ...absent, wave: 3 })).toBe("complete");
    // It ends as well, and says that nothing was seen.
    expect(at({ waves: 1 }, absent)).toBe("complete");
    expect(at({ waves: 1 }, { ...absent, startedAt: now - 1_000 })).toBe("observe");
  });

  test("continues without a pinned CPE, and waits for approval where all are pinned", () => {
    const now = start + soakMs;
    const held = (by: "pin" | "approval") =>
      member({ seen: { ...fine, progress: { kind: "held", by } }, steadySince: null });
    const at = (more: Partial<Rollout>, ...members: Member[]) =>
      decide(rollout({ checkedAt: now - 1_000, ...more }), members, [], now).kind;
    expect(at({}, held("pin"))).toBe("ask");
    expect(at({}, held("pin"), member({ nodeId: 2 }))).toBe("advance");
    expect(at({ since: now, checkedAt: now }, { ...held("pin"), startedAt: now })).toBe("observe");
    expect(at({}, held("approval"), member({ nodeId: 2 }))).toBe("observe");
    const worse = held("pin");
    const lost = { ...worse, seen: { ...worse.seen, online: false } };
    expect(at({}, lost, member({ nodeId: 2 }))).toBe("observe");
  });

  test("observes its wave while one that came in is prepared", () => {
    const bad = member({ seen: { ...fine, progress: { kind: "failed", reason: "" } } });
    const joined = member({ nodeId: 2, wave: 3, ...waiting, expected: null });
    expect(decide(rollout(), [bad, joined], [2], start).kind).toBe("fail");
    const worse = decide(
      rollout({ checkedAt: start }),
      [member({ seen: { ...fine, online: false } }), joined],
      [2],
      start + 1_000,
    );
    expect(worse).toMatchObject({
      kind: "prepare",
      nodeIds: [2],
      assessed: [{ nodeId: 1, suspects: { contact: start + 1_000 } }],
    });
  });

  test("previews a CPE without the version before a failed compile counts as a failure of the version", () => {
    const failure = { code: "unreadable", detail: "acl_rule" } as const;
    const seen = { ...fine, failure, progress: { kind: "uncompiled" as const } };
    const at = (more: Partial<Member>, ms = 60_000) => {
      const now = start + ms;
      const one = member({ seen, suspects: { task: start }, ...more });
      return decide(rollout({ checkedAt: now - 1_000 }), [one], [], now);
    };
    expect(at({}, 59_999).kind).toBe("observe");
    expect(at({})).toMatchObject({ kind: "compare", nodeIds: [1], assessed: [{ failure: null }] });
    const compared = { failure, without: null, at: start + 60_000 };
    expect(at({ compared })).toMatchObject({
      kind: "fail",
      assessed: [{ failure: { gate: "task" } }],
    });
    // It would be so without the version as well, until it would not.
    const others = { ...compared, without: failure };
    expect(at({ compared: others })).toMatchObject({
      assessed: [{ outcome: "held", heldBy: "compile", failure: null }],
    });
    expect(at({ compared: others }, 120_000).kind).toBe("compare");
    // It was asked about another failure.
    const other = { ...failure, detail: "blacklist" };
    expect(at({ compared: { ...others, failure: other, without: other } }).kind).toBe("compare");
  });

  test("observes CPEs of earlier waves that come later, and does not wait for them", () => {
    const now = start + soakMs;
    const at = (...members: Member[]) =>
      decide(rollout({ wave: 2, checkedAt: now - 1_000 }), members, [], now);
    const own = member({ wave: 2, nodeId: 2 });
    const came = member({ steadySince: null });
    expect(at(own, came)).toMatchObject({
      kind: "advance",
      assessed: [
        { nodeId: 2, outcome: "passed" },
        { nodeId: 1, outcome: "observed" },
      ],
    });
    for (const seen of [
      { ...fine, progress: { kind: "failed" as const, reason: "" } },
      { ...fine, progress: { kind: "confirmed" as const, idle: [{ key: "a/1", name: "guests" }] } },
    ]) {
      expect(at(own, { ...came, seen }).kind).toBe("fail");
    }
    // That it stays away, or is seen for the first time, proves nothing of the wave that is underway.
    const gone = { ...fine, online: false, progress: { kind: "underway" as const } };
    const absent = { ...came, baseline: gone, seen: gone };
    expect(at(own, absent).kind).toBe("advance");
    expect(at({ ...absent, wave: 2, nodeId: 2 }, member()).kind).toBe("ask");
  });

  test("a CPE that comes in while its wave is underway starts with the next step", () => {
    const members = [member(), member({ nodeId: 2, ...waiting })];
    expect(decide(rollout(), members, [], start)).toMatchObject({ kind: "start", nodeIds: [2] });
    // It has a soak time of its own, and the rollout does not end before.
    const now = start + soakMs;
    const last = { wave: 3, checkedAt: now - 1_000 };
    const own = member({ wave: 3 });
    const late = member({ wave: 3, nodeId: 2, startedAt: now - 1_000, steadySince: now - 1_000 });
    expect(decide(rollout(last), [own], [], now).kind).toBe("complete");
    expect(decide(rollout(last), [own, late], [], now).kind).toBe("observe");
  });
});

/** A rollout as the worker carries it out, in memory. */
class World {
  rollout: Rollout;
  members: Member[];
  state: "running" | "waiting" | "halted" | "completed" = "running";
  now = start;
  readonly started: number[] = [];
  readonly passed = new Set<number>();

  constructor(waves: readonly number[]) {
    this.rollout = rollout({ waves: Math.max(...waves), soakMs: 20_000, graceMs: 5_000 });
    this.members = waves.map((wave, at) =>
      member({ nodeId: at + 1, wave, startedAt: null, baseline: null, expected: null }),
    );
  }

  step(seen: (nodeId: number) => Seen): Decision | null {
    this.now += 2_000;
    if (this.state !== "running") return null;
    this.members = this.members.map((one) => ({ ...one, seen: seen(one.nodeId) }));
    const unprepared = this.members.filter(({ expected }) => expected === null);
    const { wave } = this.rollout;
    const here = this.members.filter(
      (one) => one.wave === wave || (one.wave < wave && !this.passed.has(one.nodeId)),
    );
    const ids = unprepared.slice(0, 2).map(({ nodeId }) => nodeId);
    const decision = decide(this.rollout, here, ids, this.now);
    this.#carryOut(decision);
    this.rollout = { ...this.rollout, checkedAt: this.now };
    return decision;
  }

  #carryOut(decision: Decision): void {
    const { kind } = decision;
    if (kind === "prepare") {
      this.#change(decision.nodeIds, { expected: { isKnown: true, objects: [] } });
    }
    if (kind === "start") {
      this.started.push(...decision.nodeIds);
      for (const one of this.members) {
        const more = { startedAt: this.now, baseline: one.seen, steadySince: null };
        if (decision.nodeIds.includes(one.nodeId)) this.#change([one.nodeId], more);
      }
    }
    if ("assessed" in decision) {
      for (const { nodeId, steadySince, suspects, awaitedMs, outcome } of decision.assessed) {
        if (outcome === "passed") this.passed.add(nodeId);
        this.#change([nodeId], { steadySince, suspects, awaitedMs });
      }
    }
    if (kind === "fail") this.state = "halted";
    if (kind === "complete") this.state = "completed";
    if (kind === "advance") {
      this.rollout = { ...this.rollout, wave: this.rollout.wave + 1, since: this.now };
    }
  }

  #change(ids: readonly number[], more: Partial<Member>): void {
    this.members = this.members.map((one) =>
      ids.includes(one.nodeId) ? { ...one, ...more } : one,
    );
  }
}

const seenAt = fc.record({
  online: fc.boolean(),
  links: fc.integer({ min: 0, max: 2 }),
  loss: fc.option(fc.integer({ min: 0, max: 20 })),
  findings: fc.constant([]),
  findingsBefore: fc.constant([]),
  linkIds: fc.constant(fine.linkIds),
  hasStaleLinks: fc.boolean(),
  progress: fc.constantFrom<Seen["progress"]>(
    confirmed,
    { kind: "underway" },
    { kind: "held", by: "pin" },
  ),
});
const plan = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 });

describe("any rollout", () => {
  test("starts each CPE once, none before its wave, and no wave before the one before it passed", () => {
    const run = (waves: number[], moments: Seen[][]) => {
      const world = new World(waves);
      for (const moment of moments) {
        const wave = world.rollout.wave;
        const decision = world.step((id) => moment[id % moment.length] as Seen);
        if (decision?.kind === "advance" || decision?.kind === "complete") {
          const { assessed } = decision;
          expect(assessed.every(({ failure }) => failure === null)).toBe(true);
          for (const { nodeId, outcome } of assessed) {
            const one = world.members.find((found) => found.nodeId === nodeId) as Member;
            if (outcome === "passed" || one.wave < wave) continue;
            if (outcome === "held") expect(one.seen.progress).toEqual({ kind: "held", by: "pin" });
            else
              expect([outcome, one.seen.online || one.baseline?.online]).toEqual(["absent", false]);
          }
        }
        const ahead = world.members.filter((one) => one.wave > world.rollout.wave);
        expect(ahead.every(({ startedAt }) => startedAt === null)).toBe(true);
        expect(world.rollout.wave - wave).toBeLessThanOrEqual(1);
        expect(new Set(world.started).size).toBe(world.started.length);
      }
    };
    const moment = fc.array(seenAt, { minLength: 1, maxLength: 3 });
    fc.assert(fc.property(plan, fc.array(moment, { maxLength: 60 }), run));
  });

  test("completes on CPEs that stay as they are, and halts on one that loses its links", () => {
    fc.assert(
      fc.property(plan, fc.integer({ min: 1, max: 6 }), (waves, broken) => {
        const healthy = new World(waves);
        for (let at = 0; at < 100; at += 1) healthy.step(() => fine);
        expect(healthy.state).toBe("completed");
        expect([...healthy.started].sort()).toEqual(waves.map((_, at) => at + 1));

        const world = new World(waves);
        const unlinked = { ...fine, links: 0, linkIds: { ...fine.linkIds, up: [] } };
        const isBroken = (id: number) => id === broken && world.started.includes(id);
        for (let at = 0; at < 100; at += 1) {
          world.step((id) => (isBroken(id) ? unlinked : fine));
        }
        const wave = waves[broken - 1];
        expect(world.state).toBe(wave === undefined ? "completed" : "halted");
        if (wave !== undefined) expect(world.rollout.wave).toBe(wave);
      }),
    );
  });
});
