import { expect, test } from "vitest";
import { evaluateSizes, filesOf, type Manifest, sizesOf } from "./console-size.ts";

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
// A file of n letters has n kilobytes, and a tenth of that as Brotli.
const measure = (file: string) => ({
  raw: file.length * 1_000,
  gzip: 0,
  brotli: file.length * 100,
});
const sizes = sizesOf(manifest, measure);
const heavy = { brotli: 1e9, why: "" };
const starts = { login: heavy, shell: heavy, "first list": heavy };
const within = { named: starts, view: 1e9, file: 1e9 };

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

test("a view counts with what the first list did not bring", () => {
  const own = "pop.js".length + "assets/map-12345678.js".length;
  expect(sizes["src/domains/devices/pop/pop-page.tsx"]).toMatchObject({
    brotli: own * 100,
    files: 2,
  });
  expect(sizes.login).toMatchObject({ files: 3 });
  expect(sizes["first list"]).toMatchObject({ files: 8 });
  expect(Object.keys(sizes)).toContain("file map");
});

test("what is too heavy or too much fails with both numbers", () => {
  const failed = evaluateSizes(sizes, { ...within, view: 2_700 }).filter(
    ({ state }) => state === "failed",
  );
  expect(failed).toMatchObject([
    {
      id: "build > size > src/domains/devices/pop/pop-page.tsx",
      message: "2800 bytes of Brotli, at most 2700",
    },
  ]);
  const named = { shell: { brotli: 1, requests: 1, why: "" } };
  expect(
    evaluateSizes(sizes, { ...within, named }).find(({ id }) => id.endsWith(" shell")),
  ).toEqual(
    expect.objectContaining({ message: expect.stringMatching(/Brotli.*; 7 files, at most 1$/) }),
  );
});

test("within the budget nothing fails, and a limit that nothing needs does", () => {
  expect(evaluateSizes(sizes, within).filter(({ state }) => state === "failed")).toEqual([]);
  const named = { gone: { brotli: 1, why: "" } };
  expect(evaluateSizes(sizes, { ...within, named }).at(-1)).toMatchObject({
    id: "build > size > gone",
    state: "failed",
  });
});
