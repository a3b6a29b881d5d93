import {
  healthRank,
  healthStateList,
  healthStates,
} from "@weft/contract/domains/devices/health.ts";
import { describe, expect, it } from "vitest";
import { type HealthFacts, healthOf } from "./verdict.ts";

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 23, 8, minute));

/** A site of which there is nothing to say. */
const well: HealthFacts = {
  kind: "cpe",
  enabled: true,
  isExpired: false,
  expireAt: null,
  enrolment: "approved",
  enrolledAt: at(1),
  online: true,
  lastSeen: at(50),
  driftSteps: 0,
  driftSince: null,
  lines: 2,
  linesDown: [],
  state: { serial: 7, ending: "confirmed", at: at(2) },
  hasConfirmed: true,
  failedAt: null,
  findings: 0,
  links: 4,
  linksUp: 4,
  linksPoor: 0,
  linksNew: false,
  linkDownAt: null,
  peer: "POP-SH",
  worst: null,
  alarm: null,
  missing: null,
};
const worst = {
  name: "wan1",
  metric: "loss" as const,
  value: 3.9,
  limit: 1,
  since: at(36),
};
const alarm = {
  name: "基础告警",
  metric: "loss" as const,
  item: "A - B",
  value: 3.9,
  limit: 2,
  at: at(6),
};
const state = (ending: "confirmed" | "underway" | "held" | "blocked") => ({
  state: { serial: 8, ending, at: at(40) },
});

describe("the health of a node", () => {
  it.each<[Partial<HealthFacts>, string, object]>([
    [{}, "online", {}],
    [{ links: 0, linksUp: 0 }, "online", {}],
    [{ linksUp: 3, linkDownAt: at(30) }, "degraded", { count: 1, of: 4 }],
    [{ linesDown: ["wan2"] }, "degraded", { count: 1, of: 2, name: "wan2" }],
    [
      { linksPoor: 2, worst },
      "poor",
      {
        count: 2,
        of: 4,
        name: "wan1",
        excess: { metric: "loss", value: 3.9, limit: 1 },
      },
    ],
    [{ linksUp: 0, linkDownAt: at(30) }, "cutOff", { count: 4, of: 4 }],
    [{ online: false, linksUp: 0 }, "offline", {}],
    [{ online: false, linksUp: 1 }, "outOfContact", { name: "POP-SH" }],
    // Its other ends are of tenants who do not see each other.
    [{ kind: "pop", online: false, linksUp: 1 }, "outOfContact", {}],
    [{ online: false, linksUp: 0, lastSeen: null }, "unseen", {}],
    [{ online: false, enrolment: null }, "unclaimed", {}],
    [{ online: false, enrolment: "pending" }, "pending", {}],
    [{ online: false, enrolment: "rejected" }, "rejected", {}],
    [{ enrolment: "quarantined" }, "quarantined", {}],
    [{ enabled: false, online: false }, "disabled", {}],
    [{ isExpired: true, expireAt: at(3) }, "expired", {}],
    [state("blocked"), "blocked", { serial: 8 }],
    [{ failedAt: at(9) }, "blocked", {}],
    [state("held"), "held", { serial: 8 }],
    [state("underway"), "delivering", { serial: 8 }],
    [{ missing: { name: "SH-01b", since: at(4) } }, "withoutStandby", { name: "SH-01b" }],
    [{ findings: 3 }, "findings", { count: 3 }],
    [{ driftSteps: 2, driftSince: at(5) }, "drifted", { count: 2 }],
    [
      { alarm },
      "alarm",
      {
        name: "基础告警",
        alarm: { metric: "loss", item: "A - B", value: 3.9, limit: 2 },
      },
    ],
  ])("with %j is %s", (change, state, detail) => {
    expect(healthOf({ ...well, ...change })).toMatchObject({ state, detail });
  });

  it("of what comes up for the first time is never bad, although nothing of it works yet", () => {
    const first = { hasConfirmed: false, linksUp: 0, ...state("underway") };
    expect(healthOf({ ...well, ...first }).state).toBe("comingUp");
    expect(healthOf({ ...well, linksUp: 0, linksNew: true }).state).toBe("comingUp");
  });

  it("of a POP does not suffer from sites that are down", () => {
    expect(healthOf({ ...well, kind: "pop", linksUp: 1, linksPoor: 1, worst }).state).toBe(
      "online",
    );
    expect(healthOf({ ...well, kind: "pop", linksUp: 0 }).state).toBe("cutOff");
  });

  it("is called by the worst that is the case", () => {
    const all: Partial<HealthFacts>[] = [
      { linksUp: 0 },
      state("blocked"),
      { isExpired: true },
      { linksUp: 3 },
      { linksPoor: 1, worst },
      { findings: 1 },
      { driftSteps: 1 },
      state("held"),
      { alarm },
      state("underway"),
    ];
    for (const [index, worse] of all.entries()) {
      const alone = healthOf({ ...well, ...worse }).state;
      for (const better of all.slice(index + 1)) {
        const both = { ...well, ...better, ...worse };
        expect(healthOf(both).state, JSON.stringify([worse, better])).toBe(alone);
      }
    }
  });

  it("has its start time", () => {
    expect(healthOf({ ...well, online: false, linksUp: 0 }).since).toEqual(at(50));
    expect(healthOf({ ...well, linksUp: 1, linkDownAt: at(30) }).since).toEqual(at(30));
    expect(healthOf({ ...well, linksPoor: 1, worst }).since).toEqual(at(36));
    // A device that was away meanwhile, as all are when a controller starts again, comes back to the same trouble.
    const cut = { linesDown: ["wan2"], linksUp: 2, linkDownAt: at(20) };
    expect(healthOf({ ...well, ...cut }).since).toEqual(at(20));
    expect(healthOf({ ...well, linesDown: ["wan2"] }).since).toBeNull();
    expect(healthOf({ ...well, kind: "pop", ...cut }).since).toBeNull();
    expect(healthOf({ ...well, findings: 3 }).since).toEqual(at(2));
  });
});

describe("the states", () => {
  it("are in the order of their tones, so that a list that is sorted by state is sorted by tone", () => {
    const tones = healthStateList.map((state) => healthStates[state]);
    const order = ["bad", "warn", "run", "unknown", "ok", "off"] as const;
    expect(tones).toEqual(tones.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
    expect(healthRank("offline")).toBe(0);
  });
});
