// docs/add-a-resource.md is followed: its blocks are applied to a copy of the repository, and the checks of
// that copy decide whether the page is true.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typesOf } from "./check.ts";
import { inRoot, root, workspaces } from "./repository.ts";
import { runCommand } from "./run-command.ts";
import { reportVariable } from "./test-reporter.ts";

const maxFiles = 10;
const maxPrograms = 3;

interface Block {
  readonly file: string;
  readonly isNew: boolean;
  readonly text: string;
}

/** Every block that follows a line with the name of its file. */
const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^`([\w./-]+)`(, new)?:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(
    ([, file = "", isNew, text = ""]) => ({ file, isNew: isNew !== undefined, text }),
  );

const page = fs.readFileSync(inRoot("docs/add-a-resource.md"), "utf8");
const blocks = blocksOf(page);

/** The text with each hunk of a block in place; what a hunk finds has to be there exactly once. */
function changed(text: string, { file, text: block }: Block): string {
  return block.split("@@\n").reduce((now, hunk) => {
    const lines = hunk.split("\n").slice(0, -1);
    const without = (sign: string) =>
      lines.flatMap((line) => (line[0] === sign ? [] : [`${line.slice(1)}\n`])).join("");
    const [before, after] = [without("+"), without("-")];
    const places = now.split(before).length - 1;
    if (places !== 1) throw new Error(`${file} has ${places} places for:\n${hunk}`);
    return now.replace(before, () => after);
  }, text);
}

let copy = "";
const inCopy = (...parts: string[]) => path.join(copy, ...parts);

function link(target: string, at: string): void {
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.symlinkSync(target, at);
}

/** The files of the repository, with its packages; workspaces are those of the copy. */
function copyRepository(): void {
  copy = fs.mkdtempSync(path.join(os.tmpdir(), "weft-resource-"));
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const files = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
  for (const file of files) {
    if (file === "" || !fs.existsSync(inRoot(file))) continue;
    fs.mkdirSync(path.dirname(inCopy(file)), { recursive: true });
    fs.copyFileSync(inRoot(file), inCopy(file));
  }
  for (const name of fs.readdirSync(inRoot("node_modules"))) {
    if (name !== "@weft") link(inRoot("node_modules", name), inCopy("node_modules", name));
  }
  for (const folder of workspaces()) {
    link(inCopy(folder), inCopy("node_modules/@weft", path.basename(folder)));
  }
}

beforeAll(() => {
  copyRepository();
  for (const block of blocks) {
    const file = inCopy(block.file);
    expect(fs.existsSync(file), `${block.file} is${block.isNew ? "" : " not"} there`).toBe(
      !block.isNew,
    );
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(
      file,
      block.isNew ? block.text : changed(fs.readFileSync(file, "utf8"), block),
    );
  }
}, 120_000);
afterAll(() => fs.rmSync(copy, { recursive: true, force: true }));

/** Runs a command of the packages in the copy; its output where it failed. */
async function failureOf(script: string, ...args: string[]): Promise<string> {
  const { code, output } = await runCommand([inRoot("node_modules/.bin", script), ...args], {
    cwd: copy,
    capture: true,
    // A stage that runs this file has reports of its own.
    env: { [reportVariable]: "" },
  });
  return code === 0 ? "" : output;
}

/** How many tests passed, of files whose path contains this. */
type Passed = (part?: string) => number;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Runs test files of the copy. */
async function passedOf(project: string, files: readonly string[], name?: string): Promise<Passed> {
  const file = inCopy("build", `${project}.json`);
  const filter = name === undefined ? [] : ["--testNamePattern", name];
  const reporters = ["--reporter=json", `--outputFile=${file}`];
  const args = ["run", `--project=${project}`, ...reporters, ...filter, ...files];
  const failure = await failureOf("vitest", ...args);
  expect(failure).toBe("");
  const { testResults } = JSON.parse(fs.readFileSync(file, "utf8")) as Report;
  return (part = "") =>
    testResults
      .filter((testResult) => path.relative(copy, testResult.name).includes(part))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === "passed").length;
}

test(`costs at most ${maxFiles} files in ${maxPrograms} programs`, () => {
  const files = new Set(blocks.map(({ file }) => file));
  const programs = new Set([...files].map((file) => file.split("/").slice(0, 2).join("/")));
  expect(files.size).toBe(blocks.length);
  expect([...programs].sort()).toEqual(["apps/console", "apps/controller", "packages/contract"]);
  expect([...files].length).toBeGreaterThan(5);
  expect([...files].length, [...files].join("\n")).toBeLessThanOrEqual(maxFiles);
  expect(programs.size).toBeLessThanOrEqual(maxPrograms);
});

test("is formatted and keeps to the layers", { timeout: 120_000 }, async () => {
  const files = blocks.map(({ file }) => file).filter((file) => !file.endsWith(".sql"));
  expect(await failureOf("biome", "ci", "--error-on-warnings", ...files)).toBe("");
});

test.each(["packages/contract", "apps/controller", "apps/console", "e2e"])(
  "compiles in %s",
  { timeout: 180_000 },
  async (workspace) => {
    expect(await failureOf("tsc", ...typesOf(workspace))).toBe("");
  },
);

test("passes the tests of the contract", { timeout: 120_000 }, async () => {
  const files = ["src/samples", "src/all-endpoints.test.ts", "src/messages.test.ts"];
  const own = files.map((file) => `packages/contract/${file}`);
  expect((await passedOf("contract", own))()).toBeGreaterThan(800);
});

test("passes the battery of resources, against PostgreSQL", { timeout: 300_000 }, async () => {
  const mounted = "every declared endpoint is mounted|every table is under|each table type";
  const names = ["resources", "endpoints", "schema-types"];
  const files = names.map((name) => `apps/controller/test/${name}.test.ts`);
  // One run for all three: each starts a server of its own and makes all tables.
  const passed = await passedOf("controller", files, `^contact |${mounted}`);
  expect(passed("/resources.")).toBeGreaterThan(8);
  expect(passed("/endpoints.") + passed("/schema-types.")).toBe(3);
});

test("passes the tests of the console", { timeout: 180_000 }, async () => {
  expect((await passedOf("console", ["apps/console/src/app"]))()).toBeGreaterThan(10);
});

test("is created, edited and removed in the browser by what it declares", async () => {
  const script = `import { derivedForms } from "./e2e/src/crud/derived.ts";
    console.log(JSON.stringify(derivedForms(new Set())));`;
  const { output } = await runCommand([process.execPath, "--input-type=module", "--eval", script], {
    cwd: copy,
    capture: true,
  });
  const forms = JSON.parse(output) as readonly { readonly path: string }[];
  expect(forms.find(({ path }) => path === "/sdwan-system/contact")).toMatchObject({
    fill: { Name: "crud-contact", Enterprise: expect.stringMatching(/\S/) },
    edit: { Name: "crud-contact-2" },
  });
});

test("a change that fits nowhere is refused", () => {
  const block = { file: "a.ts", isNew: false, text: " one\n+two\n" };
  expect(changed("one\nthree\n", block)).toBe("one\ntwo\nthree\n");
  expect(() => changed("three\n", block)).toThrow("a.ts has 0 places");
  expect(() => changed("one\none\n", block)).toThrow("a.ts has 2 places");
});
