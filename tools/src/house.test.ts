// Repository conventions that no linter checks: they are about files and folders, not about code.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inRoot, readJson, root } from "./repository.ts";

const ownedByOthers = /^(packages\/contract\/spec\/|package-lock\.json$|LICENSE$)/;

const machinePath = /(^|[^\w.$}])\/(home|Users|work|farm)\/[\w.-]/;
const registry = /https?:\/\/[\w.-]*registry[\w.-]*\//;

// New files count before they are committed; what .gitignore names does not.
const files = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\0")
  .filter((file) => file !== "" && existsSync(inRoot(file)));

const text = (file: string) => readFileSync(inRoot(file), "utf8");
const code = files.filter((file) => /\.(ts|tsx|mjs|css)$/.test(file));

/** "file:line" of every line that a pattern finds in the files that we write ourselves. */
function places(pattern: RegExp): string[] {
  return files
    .filter((file) => !ownedByOthers.test(file))
    .flatMap((file) =>
      text(file)
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
    );
}

test("the list of files is not empty", () => {
  expect(files).toContain("package.json");
  expect(code.length).toBeGreaterThan(10);
});

// The context of a handler has no database to work with (kernel/api.ts), but passing it on compiles.
test("no handler names the database", () => {
  const handlers = code.filter((file) =>
    /^apps\/controller\/src\/domains\/.*(\/|-)routes\.ts$/.test(file),
  );
  expect(handlers.length).toBeGreaterThan(50);
  const named = /\.db\b|[{,]\s*db\s*[,:}]/;
  expect(named.test("store(ctx.db, id)") && named.test("async (input, { caller, db }) =>")).toBe(
    true,
  );
  expect(handlers.filter((file) => named.test(text(file)))).toEqual([]);
});

// A domain writes its own rows: what a device reports is kept by the domain whose tables they are.
test("the gateway writes no rows but the identity of the installation", () => {
  const write =
    /\b(insertInto|updateTable|deleteFrom)\(|`\s*(insert into|delete from|update \w+ (as \w+ )?set)\b/;
  expect(
    [`sql\`\n insert into link_status`, "trx.updateTable(x)"].map((one) => write.test(one)),
  ).toEqual([true, true]);
  const gateway = code.filter((file) =>
    /^apps\/controller\/src\/gateway\/(?!.*\.test\.)/.test(file),
  );
  expect(gateway.length).toBeGreaterThan(15);
  expect(gateway.filter((file) => write.test(text(file)))).toEqual([
    "apps/controller/src/gateway/identity.ts",
  ]);
});

// A class of the whole console that two sheets begin gets the style of both, by the order of loading.
test("a class of the whole console is defined in one sheet", () => {
  const sheets = code.filter((file) => /\.css$/.test(file) && !file.endsWith(".module.css"));
  const started = sheets.flatMap((file) => [
    ...new Set([...text(file).matchAll(/^(\.w-[\w-]+) \{$/gm)].map(([, name]) => `${name}`)),
  ]);
  expect(started.length).toBeGreaterThan(50);
  expect(started.filter((name, at) => started.indexOf(name) !== at)).toEqual([]);
});

test("no folder or file is named after nothing", () => {
  const folder = /(^|\/)(utils?|helpers?|common|misc)\//;
  const file = /(^|\/)(utils?|helpers?|common|misc|types|constants)\.tsx?$/;
  expect(files.filter((name) => folder.test(name) || file.test(name))).toEqual([]);
});

test("files are named in kebab-case", () => {
  const kebab = /^\.?[a-z0-9]+([-.][a-z0-9]+)*$/;
  expect(code.map((file) => path.basename(file)).filter((name) => !kebab.test(name))).toEqual([]);
});

test("constants are in camelCase", () => {
  // A name that the bundler of the edge puts in is written as bundlers write them.
  const exempt = ["apps/edge/src/version.ts"];
  const found = code
    .filter((file) => !exempt.includes(file))
    .flatMap((file) =>
      [...text(file).matchAll(/^\s*(?:export )?const ([A-Z][A-Z0-9_]+)\b\s*[:=]/gm)].map(
        ([, name]) => `${file}: ${name}`,
      ),
    );
  expect(found).toEqual([]);
});

test("no file names a path of one machine or a package registry", () => {
  expect(places(machinePath)).toEqual([]);
  expect(places(registry)).toEqual([]);
});

// Paths from the root of the repository, but for those that a page says are new.
test("documents name files that exist", () => {
  const documents = files.filter((file) => /^(docs\/.*|[A-Z]+)\.md$/.test(file));
  expect(documents).toContain("CONTRIBUTING.md");
  const named = documents.flatMap((file) =>
    [
      ...text(file).matchAll(
        /`((?:packages|apps|lab|e2e|sim|bench|tools|docs)\/[\w./-]+)`(?!, new)/g,
      ),
    ].map(([, name = ""]) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !existsSync(inRoot(name)))).toEqual([]);
});

test("import cycles cannot be waved through", () => {
  expect(places(/biome-ignore(-all)? lint\/suspicious\/noImport/)).toEqual([]);
  const config = readJson<{ overrides: unknown[] }>("biome.json");
  expect(JSON.stringify(config.overrides)).not.toMatch(/"noImportCycles"/);
});

// The life of a desired state has one home (apps/controller/src/domains/delivery/lifecycle).
const writesStates = new RegExp(
  [
    String.raw`(?:updateTable|insertInto|deleteFrom)\(\s*"(?:node_state|task)"`,
    String.raw`\b(?:update|insert into|delete from)\s+(?:weft\.)?(?:node_state|task)\b`,
  ].join("|"),
  "i",
);

test("only the transitions write states and their tasks", () => {
  const sources = code.filter(
    (file) => file.startsWith("apps/controller/src/") && !file.endsWith(".test.ts"),
  );
  expect(sources.filter((file) => writesStates.test(text(file)))).toEqual([
    "apps/controller/src/domains/delivery/lifecycle/transitions.ts",
  ]);
});
