import { expect, test } from "vitest";
import { unresolvedRoutes } from "./next-hops.ts";

const unresolved = (
  routes: readonly (readonly [destination: string, nextHop: string])[],
  networks: readonly string[] = ["10.63.0.0/24", "10.0.0.1/9", "2001:db8:63::/64"],
) =>
  [
    ...unresolvedRoutes(
      routes.map(([destination, nextHop]) => ({ destination, nextHop })),
      networks,
    ),
  ].map(([{ destination, nextHop }, through]) => [destination, nextHop, through]);

// What zebra and staticd of FRR 8.4.4 did with these routes, on interfaces with the networks above.
test.each([
  ["a next hop that is near", [["10.210.0.0/16", "10.63.0.9"]]],
  [
    "a chain, from its end",
    [
      ["10.212.0.0/16", "10.211.0.1"],
      ["10.211.0.0/16", "10.210.0.1"],
      ["10.210.0.0/16", "10.63.0.9"],
    ],
  ],
  [
    "a summary by a longer prefix in it",
    [
      ["10.220.0.0/15", "10.220.0.1"],
      ["10.220.0.0/16", "10.63.0.9"],
    ],
  ],
  [
    "two that name each other, with one that is used around them",
    [
      ["10.230.0.0/16", "10.231.0.1"],
      ["10.231.0.0/24", "10.230.0.1"],
      ["10.228.0.0/14", "10.63.0.7"],
    ],
  ],
  [
    "one of two next hops of a destination",
    [
      ["10.240.0.0/16", "10.241.0.1"],
      ["10.241.0.0/16", "10.240.0.1"],
      ["10.240.0.0/16", "10.63.0.9"],
    ],
  ],
  [
    "a next hop of IPv6",
    [
      ["2001:db8:99::/48", "2001:db8:63::9"],
      ["2001:db8:98::/48", "2001:db8:99::1"],
    ],
  ],
] as const)("used: %s", (_what, routes) => {
  expect(unresolved(routes)).toEqual([]);
});

test("not used, with what is not used either: two that name each other, three in a ring, and what is behind them", () => {
  expect(
    unresolved([
      ["10.200.0.0/16", "10.201.0.1"],
      ["10.201.0.0/16", "10.200.0.1"],
    ]),
  ).toEqual([
    ["10.200.0.0/16", "10.201.0.1", "10.201.0.0/16"],
    ["10.201.0.0/16", "10.200.0.1", "10.200.0.0/16"],
  ]);
  expect(
    unresolved([
      ["10.200.0.0/16", "10.201.0.1"],
      ["10.201.0.0/16", "10.202.0.1"],
      ["10.202.0.1/16", "10.200.0.1"],
      ["10.203.0.0/16", "10.202.0.9"],
      ["10.210.0.0/16", "10.63.0.9"],
    ]),
  ).toEqual([
    ["10.200.0.0/16", "10.201.0.1", "10.201.0.0/16"],
    ["10.201.0.0/16", "10.202.0.1", "10.202.0.0/16"],
    ["10.202.0.1/16", "10.200.0.1", "10.200.0.0/16"],
    ["10.203.0.0/16", "10.202.0.9", "10.202.0.0/16"],
  ]);
});

test("not used: a next hop in the route's own destination, also where a network around both is near", () => {
  expect(unresolved([["10.80.0.0/16", "10.80.0.1"]])).toEqual([
    ["10.80.0.0/16", "10.80.0.1", "10.80.0.0/16"],
  ]);
  expect(unresolved([["10.63.0.0/24", "10.63.0.9"]])).toEqual([
    ["10.63.0.0/24", "10.63.0.9", "10.63.0.0/24"],
  ]);
});

test("not used: a next hop behind nothing, or behind a default route", () => {
  expect(unresolved([["10.200.0.0/16", "10.250.0.1"]])).toEqual([
    ["10.200.0.0/16", "10.250.0.1", null],
  ]);
  expect(
    unresolved([
      ["10.200.0.0/16", "10.250.0.1"],
      ["0.0.0.0/0", "10.63.0.9"],
    ]),
  ).toEqual([["10.200.0.0/16", "10.250.0.1", null]]);
  expect(unresolved([["10.200.0.0/16", "10.250.0.1"]], ["0.0.0.0/0"])).toEqual([
    ["10.200.0.0/16", "10.250.0.1", null],
  ]);
});
