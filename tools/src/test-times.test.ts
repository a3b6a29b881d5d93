import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot, root } from "./repository.ts";
import { isOf, testProjects } from "./test-projects.ts";
import { secondsFor, timeLines } from "./test-times.ts";
import { timeBudget } from "./time-budget.ts";

const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
const tests = execFileSync("git", listed, { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.test\.tsx?$/.test(file) && existsSync(inRoot(file)));

test("every test file is of one project, and every project has a file", () => {
  expect(tests.length).toBeGreaterThan(100);
  const projectsOf = (file: string) =>
    testProjects.filter((one) => isOf(one, file)).map(({ name }) => name);
  expect(tests.filter((file) => projectsOf(file).length !== 1)).toEqual([]);
  const used = new Set(tests.flatMap(projectsOf));
  expect(testProjects.filter(({ name }) => !used.has(name))).toEqual([]);
});

test("every file of a lab or of a browser has a budget, and every budget a file", () => {
  expect(tests.filter((file) => secondsFor(timeBudget, file) === null)).toEqual([]);
  expect(Object.keys(timeBudget.named).filter((file) => !tests.includes(file))).toEqual([]);
});

test("the slowest files are shown, and those far over their budget wherever they are", () => {
  const quick = Array.from({ length: 20 }, (_, at) => ({ file: `quick-${at}`, ms: 900 - at }));
  const late = { file: "late", ms: 500 };
  const budget = { named: { late: 0.1, "quick-0": 0.5 }, unit: 1 };
  const lines = timeLines([...quick, late], budget);
  expect(lines).toHaveLength(13);
  expect(lines[0]).toBe("         0.9 s  quick-0");
  expect(lines.at(-1)).toBe("         0.5 s  late  far over its budget of 0.1 s");
});
