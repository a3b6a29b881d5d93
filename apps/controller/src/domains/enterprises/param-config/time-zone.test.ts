import { expect, test } from "vitest";
import { inTimeZone } from "./public.ts";

const noon = new Date("2026-01-31T12:34:56.789Z");

test.each([
  ["UTC", "2026-01-31 12:34:56 (UTC+0)"],
  ["Asia/Shanghai", "2026-01-31 20:34:56 (UTC+8)"],
  ["America/St_Johns", "2026-01-31 09:04:56 (UTC-3:30)"],
  ["Pacific/Kiritimati", "2026-02-01 02:34:56 (UTC+14)"],
])("a moment in %s", (zone, text) => expect(inTimeZone(noon, zone)).toBe(text));

test("midnight is hour 00", () =>
  expect(inTimeZone(new Date("2026-01-31T16:00:00Z"), "Asia/Shanghai")).toBe(
    "2026-02-01 00:00:00 (UTC+8)",
  ));
