// Biome matches import texts, so a rule with a wrong glob passes everything in silence. Here each
// rule of each layer meets one import that it must refuse, in a copy of the tree that holds nothing
// but the probes, and each layer meets the imports that must pass.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { layers, withLayers } from "./layers.ts";
import { bin, inRoot, readJson, workspaces } from "./repository.ts";
import { runCommand } from "./run-command.ts";

interface Finding {
  category: string;
  message: string;
  location: { path: string; start?: { line: number } };
}

/** A file of the probe tree, and the rule that must find something in it; null: nothing may. */
interface Probe {
  file: string;
  text: string;
  rule: string | null;
  message?: string;
}

const copy = mkdtempSync(path.join(os.tmpdir(), "weft-rules-"));
let findings: Finding[] = [];

const code = (probe: string, text: string, rule: string | null): Probe => ({
  file: probe,
  text,
  rule,
});
const importing = (specifier: string) => `import "${specifier}";\n`;
const long = (lines: number) => "console.info();\n".repeat(lines);

const single: Probe[] = [
  code("apps/edge/src/link/undeclared.ts", importing("kysely"), "noUndeclaredDependencies"),
  code("apps/edge/src/link/declared.ts", importing("ws"), null),
  code("apps/edge/src/drivers/dns/render-hosts.ts", importing("node:fs"), "noNodejsModules"),
  code("apps/edge/src/state/plan.ts", importing("node:child_process"), "noNodejsModules"),
  code("apps/edge/src/drivers/ha/plan.ts", "export const p = process.pid;\n", "noProcessGlobal"),
  code("packages/contract/src/rules/port.ts", importing("node:net"), "noNodejsModules"),
  code("packages/contract/src/rules/port.test.ts", importing("node:net"), null),
  code("apps/console/src/kernel/file.ts", importing("node:fs"), "noNodejsModules"),
  code("apps/edge/src/store/bare.ts", importing("fs"), "useNodejsImportProtocol"),
  code("apps/edge/src/store/index.ts", 'export { a } from "./bare.ts";\n', "noBarrelFile"),
  code("apps/edge/src/store/all.ts", 'export * from "./bare.ts";\n', "noReExportAll"),
  code(
    "apps/controller/src/domains/overlay/vpn/public.ts",
    'export { a } from "./store.ts";\n',
    null,
  ),
  code("apps/edge/src/store/single.ts", "export default 1;\n", "noDefaultExport"),
  code("apps/console/src/domains/overlay/vpn/vpn-page.tsx", "export default 1;\n", null),
  code("apps/edge/src/store/fourHundred.ts", "export const a = 1;\n", "useFilenamingConvention"),
  code("apps/edge/src/store/too-long.ts", long(401), "noExcessiveLinesPerFile"),
  code("apps/edge/src/store/long.ts", long(400), null),
  code("packages/contract/src/messages.ts", long(401), null),
  code(
    "apps/edge/src/store/function.ts",
    `export function f() {\n${"  f();\n".repeat(51)}}\n`,
    "noExcessiveLinesPerFunction",
  ),
  code(
    "apps/edge/src/store/floating.ts",
    "async function f(): Promise<void> {}\nexport function g() {\n  f();\n}\n",
    "noFloatingPromises",
  ),
  code(
    "apps/edge/src/store/misused.ts",
    "async function f(): Promise<boolean> {\n  return true;\n}\nexport const a = f() ? 1 : 2;\n",
    "noMisusedPromises",
  ),
  code(
    "apps/edge/src/store/switch.ts",
    'export function f(a: "x" | "y"): number {\n  switch (a) {\n    case "x":\n      return 1;\n  }\n  return 2;\n}\n',
    "useExhaustiveSwitchCases",
  ),
  code(
    "apps/edge/src/store/type-only.ts",
    'import { A } from "./long.ts";\nexport const a: A = 1;\n',
    "useImportType",
  ),
];

const circles: Probe[] = [
  code(
    "lab/src/one.ts",
    'import type { B } from "./two.ts";\nexport type A = B;\n',
    "noImportCycles",
  ),
  code(
    "lab/src/two.ts",
    'import type { A } from "./one.ts";\nexport type B = A;\n',
    "noImportCycles",
  ),
  code(
    "apps/controller/src/domains/devices/a/public.ts",
    'import { b } from "#domains/devices/b/public.ts";\nexport const a = b;\n',
    "noImportCycles",
  ),
  code(
    "apps/controller/src/domains/devices/b/public.ts",
    'import { a } from "#domains/devices/a/public.ts";\nexport const b = a;\n',
    "noImportCycles",
  ),
];

// Layers name their probe by path; a folder per probe would change the layer, so all imports of one
// layer are in one file, one per line, and a finding is reported by its line.
const layerFile = (index: number) => layers[index]?.probe as string;
const layerText = (index: number) => {
  const { rules = [], allows = [] } = layers[index] ?? {};
  return [...rules.map(({ refuses }) => refuses), ...allows].map(importing).join("");
};

beforeAll(async () => {
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), text);
  };
  for (const file of ["biome.json", ".gitignore", ...workspaces().map((w) => `${w}/package.json`)])
    cpSync(inRoot(file), path.join(copy, file), { recursive: true });
  for (const { file, text } of [...single, ...circles]) write(file, text);
  for (const index of layers.keys()) write(layerFile(index), layerText(index));
  // A report of its own: on a busy machine what Biome says on stderr arrives in the middle of stdout.
  const report = path.join(copy, "report.json");
  const options = [
    "--reporter=json",
    `--reporter-file=${report}`,
    "--max-diagnostics=none",
  ] as const;
  const argv = [bin("biome"), "lint", ...options, copy] as const;
  const { output } = await runCommand(argv, { capture: true, cwd: copy });
  expect(existsSync(report), output).toBe(true);
  findings = (JSON.parse(readFileSync(report, "utf8")) as { diagnostics: Finding[] }).diagnostics;
});

afterAll(() => rmSync(copy, { recursive: true }));

const inFile = (file: string) => findings.filter(({ location }) => location.path === file);
const ruleOf = ({ category }: Finding) => category.split("/").at(-1);

test("biome.json holds the overrides of the table of layers", () => {
  const config = readJson<Parameters<typeof withLayers>[0]>("biome.json");
  expect(config, "run npm run layers").toEqual(withLayers(config));
});

for (const [index, { includes, rules, allows }] of layers.entries()) {
  const restricted = (line: number) =>
    inFile(layerFile(index))
      .filter((finding) => ruleOf(finding) === "noRestrictedImports")
      .filter(({ location }) => location.start?.line === line)
      .map(({ message }) => message);
  for (const [line, { message, refuses }] of rules.entries()) {
    test(`${includes[0]} refuses ${refuses}: ${message}`, () => {
      expect(restricted(line + 1)).toContain(message);
    });
  }
  for (const [line, allowed] of allows.entries()) {
    test(`${includes[0]} may import ${allowed}`, () => {
      expect(restricted(rules.length + line + 1)).toEqual([]);
    });
  }
}

for (const { file, rule } of [...single, ...circles]) {
  test(`${file} ${rule ? `breaks ${rule}` : "passes"}`, () => {
    const rules = inFile(file).map(ruleOf);
    if (rule) expect(rules).toContain(rule);
    else expect(rules).toEqual([]);
  });
}
