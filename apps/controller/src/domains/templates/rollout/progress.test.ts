import { taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { describe, expect, test } from "vitest";
import { type Delivered, progressOf as progress } from "./progress.ts";

const delivered = (more: Partial<Delivered> = {}): Delivered => ({
  node_id: 1,
  status: taskStatus.notStarted,
  unmet: null,
  outcome: null,
  held: null,
  stopped: null,
  reason: null,
  findings: null,
  findings_before: null,
  failure: null,
  pinned: false,
  unreachable: null,
  retries: null,
  delivered_at: null,
  ...more,
});
const watchedSince = 1_000_000;
const progressOf = (row: Delivered) => progress(row, watchedSince);
/** A state that its device took back. */
const reverted = (more: Partial<Delivered>): Delivered => ({
  ...delivered({ status: taskStatus.failed, outcome: "reverted", retries: 0 }),
  delivered_at: new Date(watchedSince + 1),
  reason: "no answer",
  ...more,
});

describe("a version on a CPE", () => {
  test("does not come to one that an operator keeps at a configuration without it", () => {
    const pin = { kind: "held", by: "pin" };
    expect(progressOf(delivered({ pinned: true }))).toEqual(pin);
    // The task of the version is over, and the CPE was pinned since.
    expect(progressOf(delivered({ pinned: true, status: taskStatus.completed }))).toEqual(pin);
    const held = delivered({ outcome: "held", held: true });
    expect(progressOf(held)).toEqual({ kind: "held", by: "approval" });
    expect(progressOf(delivered())).toEqual({ kind: "underway" });
  });

  test("that its device rolls back has failed, unless something else was the reason", () => {
    const failed = { kind: "failed", reason: "no answer" };
    expect(progressOf(reverted({}))).toEqual(failed);
    // It cut itself off while the controller was there.
    expect(progressOf(reverted({ unreachable: true }))).toEqual(failed);
    expect(progressOf(reverted({ outcome: "refused" }))).toEqual(failed);
    const away = { unreachable: true, delivered_at: new Date(watchedSince - 1) };
    for (const reason of [away, { stopped: true }]) {
      expect(progressOf(reverted(reason))).toEqual({ kind: "retry" });
      // It is not sent by itself any more.
      expect(progressOf(reverted({ ...reason, retries: 1 }))).toEqual({ kind: "underway" });
    }
  });

  test("is underway while a newer state with it is, whatever became of the one before", () => {
    const status = taskStatus.failed;
    for (const outcome of ["waiting", "delivered", "applied"]) {
      expect(progressOf(delivered({ status, outcome }))).toEqual({ kind: "underway" });
    }
    const held = delivered({ status, outcome: "held", held: true });
    expect(progressOf(held)).toEqual({ kind: "held", by: "approval" });
  });

  test("cannot be compiled, which may pass", () => {
    const failure = { code: "unreadable", detail: "" } as const;
    expect(progressOf(delivered({ failure }))).toEqual({ kind: "uncompiled" });
    // Of an attempt before, which was rolled back.
    expect(progressOf(delivered({ failure, outcome: "confirmed" })).kind).toBe("uncompiled");
    expect(progressOf(delivered({ failure, outcome: "delivered" })).kind).toBe("underway");
    expect(progressOf(reverted({ failure })).kind).toBe("failed");
    expect(progressOf(delivered({ failure, status: taskStatus.completed })).kind).toBe("confirmed");
  });
});
