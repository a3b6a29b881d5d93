import { describe, expect, test } from "vitest";
import { checkMemory, checkWire } from "#kernel/rule.ts";
import { latitude, longitude } from "./number.ts";

describe("a coordinate (section 5: 1 to 6 decimals)", () => {
  test.each(["121.5", "-0.000001", "180.0"])("%s", (text) =>
    expect(checkWire(longitude, text)).toEqual({ ok: true, value: Number(text) }),
  );
  test.each(["121", "121.", "1.2345678", "180.1", "1e1", "", "x"])("not %s", (text) =>
    expect(checkWire(longitude, text)).toMatchObject({
      ok: false,
      issues: [{ rule: "coordinate" }],
    }),
  );
  test("a whole number of a form is encoded with its decimal", () => {
    expect(checkMemory(latitude, 31)).toEqual({ ok: true, value: "31.0" });
    expect(checkMemory(latitude, 31.25)).toEqual({ ok: true, value: 31.25 });
    expect(checkMemory(latitude, 91).ok).toBe(false);
  });
});
