/** Bundles the edge into one file that needs nothing but Node 24: build/edge/weft-edge.mjs. */
import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const out = path.join(here, "..", "..", "build", "edge", "weft-edge.mjs");
const manifest = readFileSync(path.join(here, "package.json"), "utf8");
const { version } = JSON.parse(manifest) as { version: string };

await build({
  entryPoints: [path.join(here, "src", "main.ts")],
  outfile: out,
  bundle: true,
  platform: "node",
  target: "node24",
  format: "esm",
  // Speed-ups of ws that must be compiled; it does without them.
  external: ["bufferutil", "utf-8-validate"],
  define: { WEFT_EDGE_VERSION: JSON.stringify(version) },
  // pino and ws are CommonJS and ask for Node's modules by require.
  banner: {
    js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
  },
  legalComments: "inline",
});
chmodSync(out, 0o755);
// What /download.html offers beside the program.
for (const name of ["weft-edge.service", "INSTALL.md"]) {
  copyFileSync(path.join(here, "packaging", name), path.join(path.dirname(out), name));
}
console.log(path.relative(process.cwd(), out));
