import { build, type Plugin, type Rolldown } from "vite";
import { shellParts } from "./chunks.ts";
import type { Part } from "./src/app/parts-ahead.ts";

/** The bundler's mark of a sheet whose name is to change. */
const mark = /\/\*\$vite\$:\d+\*\//g;

/** What may not stand inside of an element whose text is not parsed. */
const endsElement = /<(?=\/(?:style|script)|!--)/gi;

/** A program without imports, of a module and all that it imports. */
const programOf = async (input: string, root: string, parts: readonly Part[]): Promise<string> => {
  const built = await build({
    configFile: false,
    root,
    logLevel: "warn",
    define: { "import.meta.env.WEFT_PARTS": JSON.stringify(parts) },
    build: { write: false, rolldownOptions: { input, output: { format: "iife" } } },
  });
  const { output } = built as Rolldown.RolldownOutput;
  return output[0].code.trim();
};

/** What the page names, and all that it cannot do without. */
const firstChunks = (bundle: Rolldown.OutputBundle): Set<Rolldown.OutputChunk> => {
  const first = new Set<Rolldown.OutputChunk>();
  const open = Object.values(bundle).filter((one) => one.type === "chunk" && one.isEntry);
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.type !== "chunk" || first.has(one)) continue;
    first.add(one);
    open.push(...one.imports.flatMap((name) => bundle[name] ?? []));
  }
  return first;
};

/** The parts of the shell in the order in which they are fetched. */
const partsOf = (bundle: Rolldown.OutputBundle): Part[] =>
  shellParts.map((name) => {
    const chunk = Object.values(bundle).find((one) => one.type === "chunk" && one.name === name);
    if (chunk?.type !== "chunk") throw new Error(`the bundle has no ${name}`);
    const files = [...(chunk.viteMetadata?.importedCss ?? []), chunk.fileName];
    return { name, files: files.map((file) => `/${file}`) };
  });

/**
 * The page shows something by itself: the styles of the first file are in it, and so is the program that shows the frame
 * of the shell (src/early.ts). Both would be a way to the controller and back before anything is painted.
 */
export const page = (): Plugin => {
  let root = "";
  let styles = "";
  return {
    name: "weft-page",
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      // Before anything names the sheet: in the page, the manifest, and what other files are fetched with.
      order: "pre",
      handler(_, bundle) {
        styles = "";
        for (const chunk of firstChunks(bundle)) {
          const sheets = chunk.viteMetadata?.importedCss ?? new Set<string>();
          for (const name of sheets) {
            const sheet = bundle[name];
            if (sheet?.type !== "asset") throw new Error(`the bundle has no ${name}`);
            styles += sheet.source.toString().replace(mark, "").trim();
            sheets.delete(name);
            delete bundle[name];
          }
        }
        if (styles === "") throw new Error("the first file has no styles");
      },
    },
    transformIndexHtml: {
      order: "post",
      async handler(_, { server, bundle = {} }) {
        if (server) {
          return [
            { tag: "script", attrs: { type: "module", src: "/src/early.ts" }, injectTo: "body" },
          ];
        }
        const program = await programOf(`${root}/src/early.ts`, root, partsOf(bundle));
        const inline = (text: string): string => text.replace(endsElement, "\\x3c");
        return [
          { tag: "style", children: styles, injectTo: "head" },
          { tag: "script", children: inline(program), injectTo: "body" },
        ];
      },
    },
  };
};
