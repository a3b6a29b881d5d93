import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { antdStyles } from "./antd-styles.ts";
import { chunks } from "./chunks.ts";
import { leaveOut } from "./left-out.ts";
import { page } from "./page.ts";
import { palettes } from "./palettes.ts";
import { controllerPaths } from "./src/client/controller-paths.ts";

const controller = { target: `http://127.0.0.1:${process.env.WEFT_PORT || "8080"}`, ws: true };

const { plugin, codeSplitting } = chunks();

/**
 * Packages that the component library consists of. Their modules only declare, but their package.json does not say so: all that
 * an index names would stay, such as the library's forms and their rules, of which the console uses a context.
 */
const declaresOnly = /\/node_modules\/@(?:rc-component|ant-design)\//;

export default defineConfig({
  plugins: [leaveOut(), react(), plugin, page(), antdStyles(), palettes()],
  build: {
    outDir: "../../build/console",
    emptyOutDir: true,
    // The manifest says which files a screen needs: the size budget is kept over it.
    manifest: true,
    // With it the entry would be a file of its own beside its first part, which the page then names itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting },
      treeshake: { moduleSideEffects: [{ test: declaresOnly, sideEffects: false }] },
    },
  },
  server: { proxy: Object.fromEntries(controllerPaths.map((path) => [path, controller])) },
});
