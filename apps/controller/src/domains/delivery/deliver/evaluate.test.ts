import { describe, expect, test } from "vitest";
import { evaluate } from "./delivery.ts";

describe("what to send", () => {
  const newest = { epoch: 1, serial: 5, digest: "d", outcome: "waiting", retryable: false };
  const idle = { running: null, sent: null, isSettled: true };

  test("sends nothing to a device that runs the same or a newer state", () => {
    const run = (serial: number, digest = "d") => ({
      ...idle,
      running: { epoch: 1, serial, digest },
    });
    expect(evaluate(newest, run(4), false)).toBe("deliver");
    expect(evaluate(newest, run(5), false)).toBe("nothing");
    expect(evaluate(newest, run(6), false)).toBe("nothing");
    expect(evaluate({ ...newest, epoch: 2 }, run(6), false)).toBe("deliver");
  });

  test("follows the outcome of the newest", () => {
    const of = (outcomeName: string, device = idle, more = {}) =>
      evaluate({ ...newest, outcome: outcomeName, ...more }, device, false);
    expect(
      ["waiting", "superseded", "refused", "failed", "reverted"].map((one) => of(one)),
    ).toEqual(["deliver", "nothing", "nothing", "nothing", "nothing"]);
    expect(of("reverted", idle, { retryable: true })).toBe("deliver");
    for (const result of ["delivered", "applied", "confirmed"]) {
      expect(of(result)).toBe("keep");
      expect(of(result, { ...idle, isSettled: false })).toBe("nothing");
      expect(of(result, { ...idle, sent: { epoch: 1, serial: 5 } as never })).toBe("nothing");
    }
    expect(evaluate(newest, idle, true)).toBe("nothing");
  });
});
