import { expect, test } from "vitest";
import { z } from "zod";
import { dailySchedule } from "./schedule.ts";

test("B-5-25: a daily schedule that is off is sent as close", () => {
  expect(z.encode(dailySchedule, { enabled: false, hour: 2, minute: 30 })).toBe("close");
  expect(z.encode(dailySchedule, { enabled: true, hour: 2, minute: 30 })).toBe("30 2 * * *");
});
