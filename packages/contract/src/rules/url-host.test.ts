import { expect, test } from "vitest";
import { urlHostOf, urlNames } from "./url-host.ts";

test.each([
  ["example.com", { name: "example.com", hasScheme: false }],
  ["Example.COM/", { name: "example.com", hasScheme: false }],
  ["https://example.com", { name: "example.com", hasScheme: true }],
  ["http://example.com/", { name: "example.com", hasScheme: true }],
  ["*.example.com", { name: "*.example.com", hasScheme: false }],
  ["example.com/games", "part"],
  ["example.com:8443", "part"],
  ["example.com?q=1", "part"],
  ["https://example.com/#top", "part"],
  ["192.0.2.1", "address"],
  ["http://[2001:db8::1]/", "address"],
  ["10.1.0.0/16", "address"],
  ["10.1.0.1-10.1.0.9", "address"],
] as const)("the whole host of %s", (url, expected) => {
  expect(urlHostOf(url)).toEqual(expected);
});

test("a port, a path and a scheme do not matter where the host alone is meant", () => {
  for (const url of ["example.com/games", "https://example.com:8443/?q=1"])
    expect(urlHostOf(url, true)).toEqual({ name: "example.com", hasScheme: false });
  expect(urlHostOf("https://192.0.2.1/", true)).toBe("address");
});

test("names of whole hosts, each once", () => {
  const all = [
    { url: "https://b.example", isHostOnly: false },
    { url: "b.example/path", isHostOnly: true },
    { url: "c.example/path", isHostOnly: false },
    { url: "a.example", isHostOnly: false },
  ];
  expect(urlNames(all)).toEqual(["a.example", "b.example"]);
});
