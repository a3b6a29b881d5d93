import { expect, test } from "vitest";
import { momentIn, momentText } from "./cell-text.ts";

test.each([
  ["2026-01-05 08:30:00", "Asia/Shanghai", "2026-01-05T00:30:00.000Z"],
  ["2026/1/5 8:30", "Asia/Shanghai", "2026-01-05T00:30:00.000Z"],
  ["2026-07-01", "America/New_York", "2026-07-01T04:00:00.000Z"],
  // Shown twice that night: the first time.
  ["2026-11-01 01:30:00", "America/New_York", "2026-11-01T05:30:00.000Z"],
  ["2026-02-28 23:59:59", "UTC", "2026-02-28T23:59:59.000Z"],
  ["2026-01-01 00:00:00", "Pacific/Kiritimati", "2025-12-31T10:00:00.000Z"],
  ["2028-02-29", "Asia/Shanghai", "2028-02-28T16:00:00.000Z"],
  // What people write for "never".
  ["9999-12-31", "Asia/Shanghai", "9999-12-30T16:00:00.000Z"],
  ["9999-12-31 23:59:59", "America/New_York", "+010000-01-01T04:59:59.000Z"],
  // As a moment of the year 9999 is shown east of Greenwich.
  ["10000-01-01 07:59:59", "Asia/Shanghai", "9999-12-31T23:59:59.000Z"],
])("%s on the clocks of %s is %s, and is written as it was", (text, zone, moment) => {
  const read = momentIn(text, zone);
  expect(read?.toISOString()).toBe(moment);
  expect(momentIn(momentText(read ?? new Date(0), zone), zone)).toEqual(read);
});

test.each([
  // Clocks skip that hour.
  ["2026-03-08 02:30:00", "America/New_York"],
  ["2026-02-30", "UTC"],
  ["2026-01-05 24:30", "UTC"],
  ["2026-13-01", "UTC"],
  ["2027-02-29", "UTC"],
  ["0000-01-01", "Asia/Shanghai"],
  ["99999-99-99", "UTC"],
  ["soon", "UTC"],
  ["45000", "UTC"],
])("%s in %s is no moment", (text, zone) => {
  expect(momentIn(text, zone)).toBeNull();
});
