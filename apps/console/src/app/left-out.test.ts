/** What the build leaves out of libraries is in them, and what is kept of it works. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { inPlaceOf, leftOut } from "../../left-out.ts";

const require = createRequire(import.meta.url);

/** Folder of a package; not every one names its package.json among its exports. */
const folderOf = (name: string): string => {
  const from = require.resolve.paths(name)?.find((path) => existsSync(join(path, name)));
  if (from === undefined) throw new Error(`no ${name}`);
  return join(from, name);
};

/** File of a module as `leftOut` names it. */
const fileOf = (module: string): string => {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? "";
  return join(folderOf(name), `${module.slice(name.length + 1)}.js`);
};

/** File of what it imports: a file or a folder beside it, or a package. */
const importedBy = (of: string, imports: string): string => {
  if (!imports.startsWith(".")) return fileOf(`${imports}/es/index`);
  const path = join(dirname(fileOf(of)), imports);
  const file = [path, `${path}.js`, `${path}/index.js`].find(
    (one) => one.endsWith(".js") && existsSync(one),
  );
  if (file === undefined) throw new Error(`no ${path}`);
  return file;
};

const run = async (code: string): Promise<Record<string, unknown>> =>
  (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, unknown>;

test.each(leftOut)("$imports of $of: each export states that it is left out", async (one) => {
  const code = inPlaceOf(importedBy(one.of, one.imports), { ...one, keeps: {} });
  const exported = Object.values(await run(code));
  expect(exported.length).toBeGreaterThan(0);
  for (const gone of exported) expect(gone).toThrow(/left out of this build/);
});

test.each(leftOut.filter(({ keeps }) => keeps))("$imports of $of keeps what is used", (one) => {
  const code = inPlaceOf(importedBy(one.of, one.imports), one);
  for (const [name, module] of Object.entries(one.keeps ?? {})) {
    expect(code).toContain(`export { ${name} } from "${module}";`);
    expect(code).not.toContain(`gone as ${name} `);
  }
});

test("a name that a library does not have any more ends the build", () => {
  const file = fileOf("antd/es/skeleton/index");
  const wanted = { of: "a", imports: "b", keeps: { Bone: "./bone" } };
  expect(() => inPlaceOf(file, wanted)).toThrow("has no Bone");
});
