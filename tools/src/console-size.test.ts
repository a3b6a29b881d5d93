import { expect, test } from "vitest";
import { aboveLimit, filesOf, type Manifest, sizesOf } from "./console-size.ts";

const manifest: Manifest = {
  "index.html": { file: "index.js", imports: ["_react"], css: ["index.css"] },
  _react: { file: "assets/react-12345678.js" },
  "src/app/routed.tsx": { file: "routed.js", imports: ["_react"], isDynamicEntry: true },
  "src/app/signed-in.tsx": {
    file: "shell.js",
    imports: ["_react", "_parts"],
    isDynamicEntry: true,
  },
  _parts: { file: "assets/parts-12345678.js", imports: ["_react"] },
  "src/client/load-session.ts": { file: "session.js", isDynamicEntry: true },
  "src/domains/devices/cpe/cpe-page.tsx": {
    file: "cpe.js",
    imports: ["_parts"],
    isDynamicEntry: true,
  },
  "src/domains/devices/pop/pop-page.tsx": {
    file: "pop.js",
    imports: ["_map"],
    isDynamicEntry: true,
  },
  _map: { file: "assets/map-12345678.js", imports: ["_parts"] },
};
// A file of n letters has n bytes.
const sizes = sizesOf(manifest, (file) => file.length);

test("a chunk needs its files and those of its imports, each once", () => {
  expect([...filesOf(manifest, "index.html", "src/app/signed-in.tsx")]).toEqual([
    "index.js",
    "index.css",
    "assets/react-12345678.js",
    "shell.js",
    "assets/parts-12345678.js",
  ]);
  expect(() => filesOf(manifest, "gone.tsx")).toThrow("the built console has no gone.tsx");
});

test("a screen counts with what the first list did not bring", () => {
  const brotli = "pop.js".length + "assets/map-12345678.js".length;
  expect(sizes["src/domains/devices/pop/pop-page.tsx"]).toEqual({ brotli, files: 2 });
  expect(sizes.login).toMatchObject({ files: 3 });
  expect(sizes["first list"]).toMatchObject({ files: 8 });
});

test("what is too heavy or too much is named with both numbers", () => {
  expect(aboveLimit(sizes)).toEqual([]);
  expect(
    aboveLimit({ login: { brotli: 79_001, files: 3 }, "a.tsx": { brotli: 1, files: 46 } }),
  ).toEqual([
    "login: 79001 bytes of Brotli in 3 files, at most 79000 and 3",
    "a.tsx: 1 bytes of Brotli in 46 files, at most 55000 and 45",
  ]);
});
