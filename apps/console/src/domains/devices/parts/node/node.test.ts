import { describe, expect, it } from "vitest";
import {
  deliveryOf,
  isUnderway,
  type NodeState,
  type StateEntry,
} from "#domains/delivery/parts/state/delivery.ts";
import { byTrouble, type LinkRow, seenFrom } from "./link-end.ts";
import { serialGlyph } from "./node-columns.tsx";
import { runningGlyph } from "./node-head.tsx";
import { verdictOf } from "./verdict.ts";

const entry = (serial: number, outcome: StateEntry["outcome"], reason: string | null = null) => ({
  epoch: 1,
  serial,
  outcome,
  reason,
  cause: "admin: lansection.add",
  createTime: new Date("2026-11-21T02:00:00Z"),
  endTime: null,
});

const well: NodeState = {
  id: 7,
  online: true,
  version: "edge 0.1.0",
  lastOnline: new Date("2026-11-21T02:00:00Z"),
  configVisible: true,
  compiling: false,
  uncompiled: null,
  desired: entry(42, "confirmed"),
  confirmed: entry(42, "confirmed"),
  findings: [],
  runningSerial: 42,
  blocked: null,
  heldAt: null,
  driftPolicy: "heal",
  driftSteps: 0,
  drift: null,
  capabilities: [],
  lines: [{ interfaceName: "wan1", addressing: "dhcp", address: "198.51.100.7/24", up: true }],
};

const link = (id: number, status: number, given: Partial<LinkRow> = {}): LinkRow => ({
  id,
  name: `link ${id}`,
  netSpaceId: 1,
  netSpaceName: "prod",
  source: { nodeId: 7, kind: "cpe", name: "SH-03", lineName: "wan1", slot: 1 },
  target: { nodeId: 2, kind: "pop", name: "POP-SH", lineName: "wan1", slot: 1 },
  made: false,
  enable: true,
  standing: true,
  preference: null,
  remark: "",
  status,
  excess: null,
  delay: 8,
  jitter: 1,
  loss: 0,
  inRate: 1000,
  outRate: 2000,
  updateTime: null,
  ...given,
});

describe("delivery of the newest desired state", () => {
  it.each([
    [{ desired: null }, "none", false],
    [{ compiling: true }, "compiling", true],
    [
      {
        compiling: true,
        uncompiled: { code: "tooLarge", detail: "firewall acl", since: new Date(0) },
      },
      "uncompiled",
      true,
    ],
    [{ desired: entry(43, "waiting") }, "waiting", true],
    [{ desired: entry(43, "delivered") }, "delivered", true],
    [{ desired: entry(43, "applied") }, "applied", true],
    [{}, "confirmed", false],
    [{ desired: entry(43, "held") }, "held", false],
    [{ desired: entry(43, "reverted", "no confirmation") }, "stopped", false],
    [{ desired: entry(43, "refused") }, "stopped", false],
    [{ desired: entry(43, "superseded") }, "compiling", true],
  ] as const)("%j is %s", (change, at, underway) => {
    const delivery = deliveryOf({ ...well, ...change });
    expect(delivery.at).toBe(at);
    expect(isUnderway(delivery)).toBe(underway);
  });

  it("shows nothing of a configuration that the reader may not see", () => {
    const foreign = { ...well, configVisible: false, desired: null, confirmed: null };
    expect(deliveryOf(foreign)).toEqual({ at: "hidden" });
    expect(verdictOf(foreign, "approved", [link(1, 1)]).chain.config).toBe("unknown");
  });

  it("stops at the blocked state and shows its reason", () => {
    const blocked = entry(43, "reverted", "no confirmation");
    expect(deliveryOf({ ...well, desired: entry(43, "waiting"), blocked })).toEqual({
      at: "stopped",
      entry: blocked,
    });
  });

  it("continues when a newer state than the blocked one is desired", () => {
    const state = { ...well, desired: entry(44, "waiting"), blocked: entry(43, "reverted") };
    expect(deliveryOf(state).at).toBe("waiting");
  });
});

describe("verdict", () => {
  it("is healthy when every part is", () => {
    const verdict = verdictOf(well, "approved", [link(1, 1)]);
    expect(verdict.cause).toEqual({ is: "well", links: 1 });
    expect(Object.values(verdict.chain)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
  });

  it("shows nothing about links while the device is offline", () => {
    const verdict = verdictOf({ ...well, online: false }, "approved", [link(1, 0)]);
    expect(verdict.cause.is).toBe("offline");
    expect(verdict.chain).toEqual({
      enrolment: "ok",
      control: "bad",
      config: "unknown",
      lines: "unknown",
      links: "unknown",
    });
  });

  it("reports that traffic is forwarded when the other end still sees the tunnel", () => {
    const verdict = verdictOf({ ...well, online: false }, "approved", [link(1, 1)]);
    expect(verdict.cause).toMatchObject({ is: "outOfContact", peer: "POP-SH" });
    expect(verdict.chain.links).toBe("ok");
  });

  it("names the first broken part in causal order", () => {
    const down = { ...well, lines: [{ ...well.lines[0], interfaceName: "wan2", up: false }] };
    const verdict = verdictOf(down as NodeState, "approved", [link(1, 0)]);
    expect(verdict.cause).toEqual({ is: "linesDown", names: ["wan2"] });
    const stopped = { ...(down as NodeState), desired: entry(43, "reverted", "no confirmation") };
    expect(verdictOf(stopped, "approved", []).cause).toEqual({ is: "delivery" });
    expect(verdictOf(stopped, "approved", []).chain.config).toBe("bad");
  });

  it("names the peer of the first link that is down", () => {
    expect(verdictOf(well, "approved", [link(1, 1), link(2, 0)]).cause).toEqual({
      is: "linksDown",
      down: 1,
      links: 2,
      peer: "POP-SH",
    });
  });

  it("a node with objects without effect is not called healthy", () => {
    const finding = {} as NodeState["findings"][number];
    const verdict = verdictOf({ ...well, findings: [finding] }, "approved", [link(1, 1)]);
    expect(verdict.cause).toEqual({ is: "findings" });
    expect(verdict.chain.config).toBe("warn");
  });

  it("is not healthy while manual changes are on the device", () => {
    const verdict = verdictOf({ ...well, driftSteps: 2 }, "approved", [link(1, 1)]);
    expect(verdict.cause).toEqual({ is: "drifted", steps: 2 });
    expect(verdict.chain).toMatchObject({ config: "warn", lines: "ok", links: "ok" });
  });

  it("shows no disc of health for links that are up and beyond a limit", () => {
    const excess = { metric: "loss" as const, value: 3.9, limit: 1, since: new Date() };
    const verdict = verdictOf(well, "approved", [link(1, 1, { excess }), link(2, 1)]);
    expect(verdict.chain).toMatchObject({ lines: "ok", links: "warn" });
  });

  it("counts links beyond the first page", () => {
    const verdict = verdictOf(well, "approved", [link(1, 0), link(2, 1)], 500);
    expect(verdict.cause).toMatchObject({ down: 1, links: 500 });
    expect(verdict.chain.links).toBe("warn");
  });

  it("waits for an activation code before anything else", () => {
    expect(verdictOf({ ...well, online: false }, null, []).cause.is).toBe("unclaimed");
    expect(verdictOf({ ...well, online: false }, "pending", []).cause.is).toBe("pending");
  });
});

describe("links", () => {
  it("swaps the rates for the end that is shown", () => {
    expect(seenFrom(link(1, 1), 7)).toMatchObject({ inRate: 1000, outRate: 2000 });
    expect(seenFrom(link(1, 1), 2)).toMatchObject({ inRate: 2000, outRate: 1000 });
    expect(seenFrom(link(1, 1), 2).peer.name).toBe("SH-03");
  });

  it("lists problems first", () => {
    const rows = [link(1, 1), link(2, 1, { loss: 6.2 }), link(3, 0)];
    expect(rows.sort(byTrouble).map((row) => row.id)).toEqual([3, 2, 1]);
  });
});

describe("a device without contact", () => {
  it("runs what is not known now: nothing of it is marked as right", () => {
    expect(runningGlyph(well)).toBe("ok");
    expect(runningGlyph({ ...well, online: false })).toBe("unknown");
    const row = { desiredSerial: 3, runningSerial: 3, linkStatus: 1 };
    expect(serialGlyph(row)).toBe("ok");
    expect(serialGlyph({ ...row, runningSerial: 2 })).toBe("run");
    expect(serialGlyph({ ...row, awaitsNetworks: true })).toBe("run");
    expect(serialGlyph({ ...row, linkStatus: 0 })).toBe("unknown");
  });
});
