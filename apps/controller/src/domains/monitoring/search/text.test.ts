import { expect, it } from "vitest";
import { wantedOf } from "./text.ts";

it.each([
  ["10.116.1.30", "10.116.1.30"],
  [" １０.116.1.30 ", "10.116.1.30"],
  ["FD57:1:1::0100", "fd57:1:1::100"],
  ["10.116.1", null],
  ["10.116.1.0/24", null],
])("%s as an address: %s", (typed, address) => {
  expect(wantedOf(typed).address).toBe(address);
});

it.each(["02:00:5E:10:00:01", "02-00-5e-10-00-01", "0200.5e10.0001", "02005E100001"])(
  "%s is a hardware address",
  (typed) => {
    expect(wantedOf(typed).mac).toBe("02:00:5e:10:00:01");
  },
);

it.each(["02:00:5e:10:00", "02:00-5e:10:00:01", "02005e1000012", "wzmd"])("%s is none", (typed) => {
  expect(wantedOf(typed).mac).toBeNull();
});

it("keeps the text as typed, and matches initials in either case", () => {
  expect(wantedOf(" WzMd ")).toMatchObject({ text: "WzMd", address: null, mac: null });
  expect(wantedOf("WzMd").initials).toBe(wantedOf("wzmd").initials);
});
