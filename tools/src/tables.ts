// Tables of the docs that are made from code: `npm run tables` writes them, `npm run check` refuses
// a page that differs from what would be written.
import "./assert-node.ts";
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { accessText } from "@weft/contract/access.ts";
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { parse } from "yaml";
import { fieldPage } from "./field-table.ts";
import { inRoot } from "./repository.ts";
import { type TestGroup, testGroups } from "./test-groups.ts";

interface SettingRow {
  readonly name: string;
  readonly type: string;
  readonly default: string;
  readonly meaning: string;
}

const row = (...cells: string[]): string => `| ${cells.join(" | ")} |`;

function endpointPage(): string {
  const rows = allEndpoints.map((endpoint) =>
    row(endpoint.method, `\`${endpoint.path}\``, accessText(endpoint.may), endpoint.id),
  );
  return [
    "# Endpoints",
    "",
    "Every mounted call. Made by `npm run tables`; `npm run check` fails when it is not up to date.",
    "A permission code, or entries of the menu and codes of which one is enough, or why every session may; the data scope",
    "applies in any case.",
    "",
    row("method", "path", "needs", "id"),
    row("---", "---", "---", "---"),
    ...rows,
    "",
  ].join("\n");
}

const mark = (name: string, edge: "begin" | "end"): string => `<!-- ${name}:${edge} -->`;

/** The text with what is between two marks replaced. */
function between(text: string, name: string, lines: readonly string[]): string {
  const [head, rest = ""] = text.split(mark(name, "begin"));
  const [, tail = ""] = rest.split(mark(name, "end"));
  return `${head}${mark(name, "begin")}\n${lines.join("\n")}\n${mark(name, "end")}${tail}`;
}

async function settingsPage(): Promise<string> {
  const settings = pathToFileURL(inRoot("apps/controller/src/start/settings.ts")).href;
  const { settingTable } = (await import(settings)) as {
    settingTable: Readonly<Record<string, SettingRow>>;
  };
  const rows = Object.values(settingTable).map((settingRow) =>
    row(`\`${settingRow.name}\``, settingRow.type, `\`${settingRow.default}\``, settingRow.meaning),
  );
  const head = [row("setting", "type", "default", "meaning"), row("---", "---", "---", "---")];
  return between(fs.readFileSync(inRoot("docs/settings.md"), "utf8"), "settings", [
    ...head,
    ...rows,
  ]);
}

interface Alert {
  readonly alert: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string };
}

/** What each alert means and what to do; the rule is the only place where that is written. */
function operationsPage(): string {
  const { groups } = parse(fs.readFileSync(inRoot("deploy/observability/alerts.yml"), "utf8")) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  };
  const plain = (text: string): string =>
    text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, "_$1_").replaceAll("{{ $value }}", "_n_");
  const rows = groups
    .flatMap(({ rules }) => rules)
    .map(({ alert, for: after = "-", labels, annotations }) =>
      row(`\`${alert}\``, labels.severity, after, plain(annotations.summary), annotations.action),
    );
  const head = [
    row("alert", "severity", "after", "what it says", "what to do"),
    row("---", "---", "---", "---", "---"),
  ];
  const page = fs.readFileSync(inRoot("docs/operations.md"), "utf8");
  return between(page, "alerts", [...head, ...rows]);
}

const listed = (files: Readonly<Record<string, string>>): string[] =>
  Object.entries(files).map(([file, why]) => `- \`${file}\`${why === "" ? "" : `: ${why}`}`);

function runBy({ name, stage }: TestGroup): string {
  if (stage === "full") return "`npm run test:full`";
  return stage === "campaign" ? `campaign \`${name}\`` : `\`npm test\`, stage ${stage}`;
}

/** The groups of tests, and the files of those that are not whole folders. */
function testingPage(): string {
  const rowOf = (group: TestGroup): string =>
    row(`\`${group.name}\``, runBy(group), group.sharing, group.why);
  const head = [
    row("group", "run by", "files at once", "what it holds"),
    row("---", "---", "---", "---"),
  ];
  const named = testGroups.flatMap(({ name, files }) =>
    files === undefined ? [] : ["", `### ${name}`, "", ...listed(files)],
  );
  const page = fs.readFileSync(inRoot("docs/testing.md"), "utf8");
  return between(page, "groups", [...head, ...testGroups.map(rowOf), ...named]);
}

const pages: Readonly<Record<string, string>> = {
  "docs/endpoints.md": endpointPage(),
  "docs/fields.md": fieldPage(),
  "docs/operations.md": operationsPage(),
  "docs/settings.md": await settingsPage(),
  "docs/testing.md": testingPage(),
};
const checking = process.argv.includes("--check");
for (const [file, text] of Object.entries(pages)) {
  const path = inRoot(file);
  if (fs.existsSync(path) && fs.readFileSync(path, "utf8") === text) continue;
  if (checking) {
    console.error(`${file} is not up to date: npm run tables`);
    process.exitCode = 1;
  } else fs.writeFileSync(path, text);
}
