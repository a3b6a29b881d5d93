import { describe, expect, it } from "vitest";
import { readPing } from "./ping.ts";

// Made with ping of iputils 20221126.
const withLoss = `PING 100.64.0.2 (100.64.0.2) 56(84) bytes of data.
[1795229998.100000] 64 bytes from 100.64.0.2: icmp_seq=1 ttl=63 time=0.342 ms
[1795229998.201000] 64 bytes from 100.64.0.2: icmp_seq=2 ttl=63 time=0.158 ms
[1795229998.301500] From 198.51.100.1 icmp_seq=3 Destination Net Unreachable
[1795229998.902000] 64 bytes from 100.64.0.2: icmp_seq=9 ttl=63 time=0.100 ms
[1795229998.902100] 64 bytes from 100.64.0.2: icmp_seq=9 ttl=63 time=0.200 ms (DUP!)

--- 100.64.0.2 ping statistics ---
11 packets transmitted, 3 received, +1 duplicates, +1 errors, 72.7% packet loss, time 1001ms
rtt min/avg/max/mdev = 0.100/0.200/0.342/0.100 ms
`;

describe("what ping prints", () => {
  it("gives the longest silence between two answers", () => {
    expect(readPing(withLoss, 100)).toEqual({
      sent: 11,
      received: 3,
      maxGapMs: 701,
      rttMs: expect.closeTo(0.2, 5),
      errors: ["Destination Net Unreachable"],
    });
  });

  it("counts a silence at the beginning and at the end", () => {
    const late = withLoss
      .replace(/icmp_seq=1 |icmp_seq=2 /g, "icmp_seq=9 ")
      .replace(/\[.*DUP.*\n/, "");
    expect(readPing(late, 100)?.maxGapMs).toBe(800);
    expect(readPing(late.replace("11 packets", "30 packets"), 100)?.maxGapMs).toBe(2100);
  });

  it("gives the whole time without any answer, and nothing without its closing lines", () => {
    const none = "PING a\n\n--- a ping statistics ---\n40 packets transmitted, 0 received, 100%";
    expect(readPing(none, 50)).toEqual({ sent: 40, received: 0, maxGapMs: 2000, errors: [] });
    expect(readPing("ping: connect: Network is unreachable", 50)).toBeUndefined();
  });
});
