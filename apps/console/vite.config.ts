import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunks } from "./chunks.ts";

/** First path segments that the controller answers; everything else is a page of the console. */
const controllerPaths = ["/api", "/customer", "/temp", "/config.json", "/brand", "/download"];
const controller = "http://127.0.0.1:8080";

const { plugin, codeSplitting } = chunks();

export default defineConfig({
  plugins: [react(), plugin],
  build: {
    outDir: "../../build/console",
    emptyOutDir: true,
    // The manifest says which files a screen needs: the size budget is kept over it.
    manifest: true,
    rolldownOptions: { output: { codeSplitting } },
  },
  server: { proxy: Object.fromEntries(controllerPaths.map((path) => [path, controller])) },
});
