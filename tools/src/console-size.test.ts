import { expect, test } from "vitest";
import { aboveLimit, type Manifest, sizesOf } from "./console-size.ts";

const manifest: Manifest = {
  "_start-1.js": { file: "start", imports: ["_react-1.js"], css: ["start.css"] },
  "_react-1.js": { file: "react" },
  "_calls-1.js": { file: "calls" },
  "_screens-1.js": { file: "screens", imports: ["_react-1.js"] },
  "_shell-1.js": { file: "shell", imports: ["_start-1.js"] },
  "_nodes-1.js": { file: "nodes", imports: ["_react-1.js"] },
  "src/pop-page.tsx": { file: "pops", imports: ["_map-1.js"], isDynamicEntry: true },
  "_map-1.js": { file: "map", imports: ["_shell-1.js"] },
};

test("a screen counts with what those before it did not bring, each file once", () => {
  // Every file has ten bytes.
  expect(sizesOf(manifest, () => 10)).toEqual({
    login: { brotli: 40, files: 4 },
    shell: { brotli: 70, files: 7 },
    "first list": { brotli: 80, files: 8 },
    "src/pop-page.tsx": { brotli: 20, files: 2 },
  });
  const { "_nodes-1.js": _, ...others } = manifest;
  expect(() => sizesOf(others, () => 10)).toThrow("the built console has no nodes");
});

test("what is too heavy or too much is named with both numbers", () => {
  const login = { brotli: 79_001, files: 3 };
  expect(aboveLimit({ login, "a.tsx": { brotli: 1, files: 47 } })).toEqual([
    "login: 79001 bytes of Brotli in 3 files, at most 79000 and 3",
  ]);
  expect(aboveLimit({ "a.tsx": { brotli: 1, files: 48 } })).toHaveLength(1);
});
