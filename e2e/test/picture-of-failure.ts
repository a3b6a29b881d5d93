/**
 * What pages showed when a test failed, in `build/`, and in the output what had been done to them and what they
 * had asked for: the cause of a failure that no second run shows.
 */
import { join } from "node:path";
import { root } from "@weft/lab/world.ts";
import type { Page } from "playwright-core";
import { beforeEach, onTestFailed } from "vitest";
import { lastInputOf } from "#e2e/last-input.ts";
import { lastRequestsOf } from "#e2e/last-requests.ts";

/** Longest part of a test's name in the name of a file. */
const maxPictures = 48;

/** @param test its name */
export async function pictureFailure(prefix: string, test: string, page: Page): Promise<void> {
  const name = `${prefix}-failed-${test.slice(0, maxPictures).replaceAll(/\W+/g, "-")}.png`;
  const lines = [`at ${page.url()}: build/${name}`, ...lastRequestsOf(page)];
  process.stderr.write(`${lines.join("\n")}\n`);
  process.stderr.write(`${(await lastInputOf(page)).join("\n")}\n`);
  await page.screenshot({ path: join(root, "build", name) });
}

/** For every test of the file or group that calls it. @param pageOf the page at that moment */
export function pictureFailures(prefix: string, pageOf: () => Page): void {
  beforeEach(() => {
    onTestFailed(({ task }) => pictureFailure(prefix, task.name, pageOf()));
  });
}
