import { build } from "esbuild";

/** A program of the edge and all that it imports as one file, which needs nothing but Node 24. */
export const bundle = (source: string, outfile: string, version: string) =>
  build({
    entryPoints: [source],
    outfile,
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
