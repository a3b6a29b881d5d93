import { afterEach, expect, test } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import { forgetWarnings, showWarnings } from "./last-warnings.ts";
import { SaveWarnings } from "./save-warnings.tsx";

afterEach(forgetWarnings);

const shown = () => renderForTest(<SaveWarnings />, []);

test("the consequences of a save are there until the next one, which may have none", () => {
  showWarnings(["one", "two"]);
  expect(shown()).toMatch(/one.*two/s);
  showWarnings(["three"]);
  expect(shown()).toContain("three");
  expect(shown()).not.toContain("one");
  showWarnings([]);
  expect(shown()).not.toMatch(/three|<button/);
});
