import type { Plugin } from "vite";
import { swatches } from "./src/ui/palettes.ts";

const name = "virtual:palettes";
/** The bundler's mark of a module that is no file. */
const mark = "\0";

const fills = new Map<string, string>(
  Object.entries(swatches).flatMap(([colour, modes]) =>
    Object.entries(modes).map(([mode, fill]) => [`${colour}-${mode}`, fill]),
  ),
);

/**
 * Makes a module of each theme colour and mode, so that it is a file of its own in the build, and `virtual:palettes`, which
 * has a function for each that imports it.
 */
export const palettes = (): Plugin => ({
  name: "weft-palettes",
  resolveId: (id) => (id.startsWith(name) ? `${mark}${id}` : null),
  load(id) {
    if (id === `${mark}${name}`) {
      const imports = [...fills.keys()].map(
        (colour) => `"${colour}": () => import("${name}/${colour}")`,
      );
      return `export const files = { ${imports.join(", ")} };`;
    }
    const fill = fills.get(id.slice(`${mark}${name}/`.length));
    return fill === undefined ? null : `export const fill = "${fill}";`;
  },
});
