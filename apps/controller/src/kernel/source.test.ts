import { expect, test } from "vitest";
import { isLoopback, plainAddress, sourceOf } from "./source.ts";

test("loopback is distinguished from everything else, in both families", () => {
  const local = ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"];
  const others = ["10.0.0.1", "::ffff:10.0.0.1", "127.0.0.1.example", "", undefined, "::2"];
  expect(local.map(isLoopback)).toEqual(local.map(() => true));
  expect(others.map(isLoopback)).toEqual(others.map(() => false));
  expect(plainAddress("::ffff:10.0.0.1")).toBe("10.0.0.1");
});

test("a /64 of IPv6 counts as one, an IPv4 address as itself", () => {
  const one = sourceOf("2001:db8:0:7::1");
  expect(sourceOf("2001:db8:0:7:ffff:ffff:ffff:ffff")).toBe(one);
  expect(sourceOf("2001:db8:0:8::1")).not.toBe(one);
  expect(sourceOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(sourceOf("192.0.2.2")).not.toBe("192.0.2.1");
  expect(sourceOf("fe80::1%eth0")).toBe(sourceOf("fe80::2"));
  expect(sourceOf("::1")).toBe("::1");
});
