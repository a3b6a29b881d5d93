import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { describe, expect, test } from "vitest";
import { sourcesBySection } from "./section-sources.ts";

const lan = { network: "10.1.5.1/24", network6: "fd00:1:5::1/64", enableForward: true };
const guests = { network: "10.9.5.1/24", network6: null, enableForward: false };
const lines = [{ ip: "198.51.100.1/24" }, { ip: null }];
const route = (destination: string, nextHop: string, enabled = true) => ({
  destination,
  nextHop,
  enabled,
});
const behind = (routes: readonly ReturnType<typeof route>[], notices: readonly string[] = []) =>
  sourcesBySection({ sections: [lan, guests], lines, routes, notices }).map((networks) =>
    networks.filter((network) => !/^(10\.[19]\.5|fd00:1:5:)/.test(network)),
  );

describe("networks behind a LAN", () => {
  test.each([
    ["a router of it", [route("10.7.0.0/16", "10.1.5.254")], [["10.7.0.0/16"], []]],
    ["one of the other", [route("10.7.0.0/16", "10.9.5.9")], [[], ["10.7.0.0/16"]]],
    [
      "three routers in a row, the last one first",
      [
        route("10.12.0.0/16", "10.8.0.1"),
        route("10.8.0.0/16", "10.7.0.1"),
        route("10.7.0.0/16", "10.1.5.254"),
      ],
      [["10.7.0.0/16", "10.8.0.0/16", "10.12.0.0/16"], []],
    ],
    [
      "one that a disabled route leads to",
      [route("10.8.0.0/16", "10.7.0.1"), route("10.7.0.0/16", "10.1.5.254", false)],
      [[], []],
    ],
    [
      "the longer of two ways",
      [
        route("10.7.0.0/16", "10.1.5.254"),
        route("10.7.3.0/24", "10.9.5.9"),
        route("10.8.0.0/16", "10.7.3.1"),
      ],
      [["10.7.0.0/16"], ["10.7.3.0/24", "10.8.0.0/16"]],
    ],
    [
      "a line, and not by a default that leads into the LAN",
      [route("0.0.0.0/0", "10.1.5.254"), route("10.8.0.0/16", "198.51.100.9")],
      [["0.0.0.0/0"], []],
    ],
    ["itself", [route("10.7.0.0/16", "10.7.0.1")], [[], []]],
    ["IPv6", [route("fd00:9::/48", "fd00:1:5::9")], [["fd00:9::/48"], []]],
  ])("by %s", (_name, routes, found) => expect(behind(routes)).toEqual(found));

  test("that are announced by notices, where nothing of the site has them already", () => {
    const routes = [route("10.7.0.0/16", "10.9.5.9")];
    const notices = ["10.99.0.0/16", "10.7.0.0/16", "10.9.5.0/24", "198.51.100.0/24"];
    expect(behind(routes, notices)).toEqual([["10.99.0.0/16"], ["10.7.0.0/16"]]);
  });

  test("by notices are no more than a section of the state takes, of however many segments", () => {
    const sections = Array.from({ length: stateLimits.lanSegments }, (_, at) => ({
      network: `10.1.${at}.1/24`,
      network6: null,
      enableForward: true,
    }));
    const notices = Array.from(
      { length: stateLimits.announced },
      (_, at) => `10.${16 + (at >> 8)}.${at & 255}.0/24`,
    );
    const all = sourcesBySection({ sections, lines, routes: [], notices }).flat();
    expect(all.length).toBe(stateLimits.lanSegments + stateLimits.lanNotices);
  });

  test("of a long row of routers cost no more than of as many beside each other", () => {
    const count = 4_000;
    const net = (at: number) => `10.${16 + (at >> 8)}.${at & 255}`;
    const row = Array.from({ length: count }, (_, at) =>
      route(`${net(at)}.0/24`, at === 0 ? "10.1.5.254" : `${net(at - 1)}.1`),
    );
    const beside = row.map(({ destination }) => route(destination, "10.1.5.254"));
    const cost = (routes: typeof row): number => {
      const tries = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        expect(behind(routes)[0]).toHaveLength(count);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...tries);
    };
    cost(beside);
    expect(cost(row) / cost(beside)).toBeLessThan(8);
  });
});
