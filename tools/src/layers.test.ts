// Which folder may import what. Rules are about the files that imports resolve to, over the whole graph.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { inRoot, root } from "./repository.ts";

/** What matches `from` imports nothing that matches `to`, unless it is allowed. Packages are matched by their names. */
interface Rule {
  readonly from: RegExp;
  readonly to: RegExp;
  readonly isAllowed?: (from: string, to: string) => boolean;
}

const programOf = (file: string): string =>
  /^((apps|packages)\/[\w-]+|lab|e2e|sim|tools|bench)(?=\/)/.exec(file)?.[0] ?? "";
const isTest = (file: string): boolean =>
  /\.test\.tsx?$|^(apps|packages)\/[\w-]+\/test\//.test(file);
const isInFolderOf = (from: string, to: string): boolean => to.startsWith(`${path.dirname(from)}/`);

/** Folders below src from above: each knows those beside it and below it. */
const folders: Readonly<Record<string, readonly string[]>> = {
  "apps/controller": [
    "start backup demonstration",
    "gateway jobs",
    "domains",
    "transfer batch outbox",
    "db plugins telemetry kernel",
  ],
  "apps/console": ["app", "shell", "domains", "parts", "kernel", "feedback", "client", "ui"],
};
const placeOf = (file: string): number => {
  const [program, folder = ""] = file.split("/src/");
  const name = folder.split("/")[0] ?? "";
  return (folders[program ?? ""] ?? []).findIndex((names) => names.split(" ").includes(name));
};

const rules: Readonly<Record<string, Rule>> = {
  "programs share only the contract": {
    from: /^(packages|apps)\//,
    to: /^(apps|lab|e2e|sim|tools|bench)\//,
    isAllowed: (from, to) => programOf(from) === programOf(to),
  },
  "measurements use the lab and the contract": {
    from: /^bench\//,
    to: /^(apps|e2e|sim|tools)\//,
  },
  "a folder of controller or console knows only those beside it and below it": {
    from: /^apps\/(controller|console)\/src\//,
    to: /^apps\/(controller|console)\/src\//,
    isAllowed: (from, to) =>
      placeOf(from) <= placeOf(to) ||
      placeOf(from) < 0 ||
      placeOf(to) < 0 ||
      (from.endsWith("src/db/schema.ts") && to.endsWith("/schema.ts")),
  },
  "another feature is reached by its public.ts, its tables' types by schema.ts": {
    from: /^apps\/controller\/src\/(domains|gateway|jobs)\//,
    to: /^apps\/controller\/src\/domains\/(?!.*\/(public|schema)\.ts$)/,
    isAllowed: isInFolderOf,
  },
  "stores do not see the request": {
    from: /^apps\/controller\/src\/domains\/.*[/-]store\.ts$/,
    to: /^@?fastify(\/|$)/,
  },
  "handlers do not see the database: its statements are in the store": {
    from: /^apps\/controller\/src\/domains\/.*[/-]routes\.ts$/,
    to: /^kysely|^pg$|\/src\/db\/|\/schema\.ts$/,
  },
  "a kernel knows no subject: the domain passes what it needs": {
    from: /^apps\/(controller|console)\/src\/kernel\//,
    to: /^packages\/contract\/src\/domains\//,
  },
  "features of the console use only the parts of other domains": {
    from: /^apps\/console\/src\/(domains|shell)\//,
    to: /^apps\/console\/src\/domains\/(?![^/]+\/parts\/)/,
    isAllowed: isInFolderOf,
  },
  "pages are loaded by the views of their domain": {
    from: /^apps\/console\/src\/(?!.*\/views\.ts$)/,
    to: /^apps\/console\/src\/domains\/(?!.*\/parts\/).*-page\.tsx$/,
    isAllowed: isInFolderOf,
  },
  "views are loaded by the router, and ahead of it": {
    from: /^apps\/console\/src\/(?!app\/(router\.tsx|screen-ahead\.ts)$)/,
    to: /^apps\/console\/src\/app\/views\.ts$/,
  },
  "modals, drawers and popovers are those of ui/overlay, which return the focus": {
    from: /^apps\/console\/src\/(?!ui\/overlay\/)/,
    to: /^antd\/es\/(modal|drawer|popover)(\/|$)/,
  },
  "ui knows neither router nor API": {
    from: /^apps\/console\/src\/ui\//,
    to: /^(react-router|@tanstack)(\/|$)/,
  },
  "link and drivers of the edge do not know each other": {
    from: /^apps\/edge\/src\/(link|drivers)\//,
    to: /^apps\/edge\/src\/(link|drivers)\//,
    isAllowed: (from, to) => from.split("/")[3] === to.split("/")[3],
  },
  "plans and renderers are pure": {
    from: /^apps\/edge\/src\/(drivers\/[^/]+\/(plan|render[\w-]*)|state\/plan)\.ts$/,
    to: /\/(apply|observe)\.ts$|^apps\/edge\/src\/store\/|^node:/,
  },
};

/** What imports by the name of a workspace or of a folder of the own one lead to, by workspace and text. */
const known = new Map<string, string>();

/** What an import text in a file names; unknown texts are packages. */
function resolve(from: string, text: string): string {
  if (text.startsWith(".")) return path.join(path.dirname(from), text);
  if (!/^(#|@weft\/)/.test(text)) return text;
  const key = `${programOf(from)} ${text}`;
  const to = known.get(key) ?? path.relative(root, createRequire(inRoot(from)).resolve(text));
  known.set(key, to);
  return to;
}

const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"];
const imports = execFileSync("git", listed, { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => programOf(file) !== "" && existsSync(inRoot(file)))
  .flatMap((from) =>
    ts
      .preProcessFile(readFileSync(inRoot(from), "utf8"))
      .importedFiles.map(({ fileName }) => ({ from, text: fileName, to: resolve(from, fileName) })),
  );

test("imports are found and resolved", () => {
  const own = imports.filter(({ to }) => programOf(to) !== "");
  expect(own.length).toBeGreaterThan(5_000);
  const missing = own.filter(({ to }) => !to.endsWith(".json") && !existsSync(inRoot(to)));
  expect(missing.map(({ from, text }) => `${from}: ${text}`)).toEqual([]);
});

test.each(Object.entries(rules))("%s", (name, { from, to, isAllowed }) => {
  const isFree = (file: string): boolean => isTest(file) && !/^(programs|measurements) /.test(name);
  const bound = imports.filter((one) => from.test(one.from) && !isFree(one.from));
  // A rule about folders or packages that are gone would pass in silence.
  expect(bound.length).toBeGreaterThan(0);
  expect(imports.some((one) => to.test(one.to))).toBe(true);
  const broken = bound.filter((one) => to.test(one.to) && !isAllowed?.(one.from, one.to));
  expect(broken.map((one) => `${one.from}: ${one.text}`)).toEqual([]);
});

test("imports name another folder by its # form", () => {
  const upwards = imports.filter(({ from, text }) => text.startsWith("..") && !isTest(from));
  expect(upwards.map(({ from, text }) => `${from}: ${text}`)).toEqual([]);
});

test.each(["packages/contract", "apps/controller", "apps/console"])(
  "no two domains of %s import each other",
  (program) => {
    const domainOf = (file: string): string =>
      file.startsWith(`${program}/src/domains/`) ? (file.split("/")[4] ?? "") : "";
    const arrows = imports
      .filter(({ from }) => !isTest(from))
      .map(({ from, to }) => [domainOf(from), domainOf(to)] as const)
      .filter(([from, to]) => from !== "" && to !== "" && from !== to);
    expect(arrows.length).toBeGreaterThan(0);
    const there = new Set(arrows.map((arrow) => arrow.join(" -> ")));
    const mutual = arrows
      .filter(([from, to]) => from < to && there.has(`${to} -> ${from}`))
      .map((arrow) => arrow.join(", "));
    expect([...new Set(mutual)]).toEqual([]);
  },
);
