/** What the page showed when a test failed, in `build/`, and what had been done to it. */
import { join } from "node:path";
import { root } from "@weft/lab/world.ts";
import type { Page } from "playwright-core";
import { beforeEach, onTestFailed } from "vitest";
import { lastInputOf } from "#e2e/last-input.ts";

/** Longest part of a test's name in the name of a file. */
const maxPictures = 48;

/** For every test of the file or group that calls it. @param pageOf the page at that moment */
export function pictureFailures(prefix: string, pageOf: () => Page): void {
  beforeEach(() => {
    onTestFailed(async ({ task }) => {
      const page = pageOf();
      const name = `${prefix}-failed-${task.name.slice(0, maxPictures).replaceAll(/\W+/g, "-")}.png`;
      const input = await lastInputOf(page);
      process.stderr.write([`at ${page.url()}: build/${name}`, ...input, ""].join("\n"));
      await page.screenshot({ path: join(root, "build", name) });
    });
  });
}
