import { expect, test } from "vitest";
import { unstorablePath } from "./storable.ts";

test("what no column could hold is found, wherever it is", () => {
  const fine = { a: "x", b: [1, null, { c: "😀" }], d: new Date(0), e: undefined };
  expect(unstorablePath(fine)).toBeNull();
  expect(unstorablePath({ ...fine, name: "a\0b" })).toBe("name");
  expect(unstorablePath({ a: { b: ["x", "\ud83d"] } })).toBe("a.b.1");
  expect(unstorablePath("\udc00")).toBe("");
  expect(unstorablePath({ a: { "\0": 1 } })).toBe("a");
});

test("depth costs no stack", () => {
  const depth = 200_000;
  const deep: unknown = JSON.parse(`${"[".repeat(depth)}"\\ud800"${"]".repeat(depth)}`);
  expect(unstorablePath(deep)).toMatch(/^0\.0\./);
});
