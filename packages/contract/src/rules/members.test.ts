/** What people may type as a member is what devices take. */
import { expect, test } from "vitest";
import { namePattern } from "#contract/device/v1/dns.ts";
import { destinationMembers } from "./members.ts";

const { is } = destinationMembers.domain;

test.each([
  "zoom.us",
  "*.office.com",
  "a--b.example",
  "xn--fiq228c.xn--fiqs8s",
  "A.EXAMPLE",
  `${"x".repeat(63)}.example`,
])("%s is a host name, for devices as well", (name) => {
  expect(is(name)).toBe(true);
  expect(namePattern.safeParse(name).success).toBe(true);
});

test.each([
  "foo.com-",
  "foo.c-",
  "-foo.com",
  "foo-.com",
  "foo..com",
  "*.com",
  "a.*.com",
  "office",
  "1.2.3.4",
  "域名.com",
  `${"x".repeat(64)}.example`,
  `${"a.".repeat(126)}example`,
])("%s is no host name", (name) => {
  expect(is(name)).toBe(false);
});
