import { describe, expect, it } from "vitest";
import { defaultRange } from "./dhcp-range.ts";

describe("the range of a LAN without one of its own", () => {
  it.each([
    ["10.1.1.1/24", "10.1.1.128", "10.1.1.254"],
    ["10.1.1.200/24", "10.1.1.128", "10.1.1.254"],
    ["10.0.0.1/8", "10.128.0.0", "10.128.3.231"],
    ["192.168.0.1/29", "192.168.0.4", "192.168.0.6"],
    ["192.168.0.1/30", "192.168.0.2", "192.168.0.2"],
    ["192.168.0.2/30", "192.168.0.1", "192.168.0.1"],
  ])("of %s is %s to %s", (own, first, last) => expect(defaultRange(own)).toEqual({ first, last }));

  it.each(["10.1.1.1/31", "10.1.1.1/32", "fd00::1/64"])("of %s there is none", (own) =>
    expect(defaultRange(own)).toBeNull(),
  );
});
