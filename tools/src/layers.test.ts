// Which folder may import what. Rules are about the files that imports resolve to, over the whole graph; a rule that
// nothing could break would pass in silence, so each has an import that breaks it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { inRoot, root } from "./repository.ts";

/** An import: both ends relative to the root; a package or a module of Node keeps its name. */
interface Import {
  readonly from: string;
  readonly to: string;
}

interface Rule {
  readonly reason: string;
  /** Whether an import is against the rule. */
  isBroken(one: Import): boolean;
  readonly breaks: readonly [from: string, to: string];
}

/** A rule for imports from files to files that match. */
const never = (
  reason: string,
  from: RegExp,
  to: RegExp,
  breaks: readonly [string, string],
): Rule => ({ reason, isBroken: (one) => from.test(one.from) && to.test(one.to), breaks });

const programOf = (file: string): string =>
  /^((apps|packages)\/[\w-]+|lab|e2e|sim|tools|bench)\//.exec(file)?.[1] ?? "";
const isTest = (file: string): boolean =>
  /\.test\.tsx?$|^(apps|packages)\/[\w-]+\/test\//.test(file);
const isBelow = (folder: string, file: string): boolean => file.startsWith(`${folder}/`);

const shared = ["packages/contract"];
/** What a program may import of others; those that are not listed, tests of everything, may import all. */
const others: Readonly<Record<string, readonly string[]>> = {
  "packages/contract": [],
  "apps/controller": shared,
  "apps/edge": shared,
  "apps/console": shared,
  bench: [...shared, "lab"],
};

const C = "^apps/controller/src";
const U = "^apps/console/src";
const E = "^apps/edge/src";
const match = (...parts: string[]): RegExp => new RegExp(parts.join(""));

/** The console's folders from above: each knows only those below it. */
const consoleOrder = ["app", "shell", "domains", "parts", "kernel", "feedback", "client", "ui"];

const rules: readonly Rule[] = [
  {
    reason: "programs share only the contract",
    isBroken: ({ from, to }) => {
      const [own, other] = [programOf(from), programOf(to)];
      return other !== "" && own !== other && !(others[own] ?? [other]).includes(other);
    },
    breaks: ["apps/edge/src/main.ts", "lab/src/lab.ts"],
  },
  {
    reason: "the contract imports zod and its own files",
    isBroken: ({ from, to }) =>
      isBelow("packages/contract/src", from) && programOf(to) === "" && to !== "zod",
    breaks: ["packages/contract/src/rules/port.ts", "ipaddr.js"],
  },
  never(
    "nothing imports what starts the controller, backs it up or fills it with examples",
    match(C, "/(db|plugins|telemetry|kernel|transfer|batch|gateway|jobs|domains)/"),
    match(C, "/(start|backup|demonstration)/"),
    ["apps/controller/src/kernel/mount.ts", "apps/controller/src/start/settings.ts"],
  ),
  {
    reason: "what domains are made of knows neither domains nor gateway nor jobs",
    isBroken: ({ from, to }) =>
      match(C, "/(db|plugins|telemetry|kernel|transfer|batch)/").test(from) &&
      match(C, "/(domains|gateway|jobs)/").test(to) &&
      !(from.endsWith("src/db/schema.ts") && match(C, "/domains/[^/]+/schema.ts$").test(to)),
    breaks: ["apps/controller/src/kernel/mount.ts", "apps/controller/src/jobs/repeat.ts"],
  },
  never(
    "kernel, database and plugins know neither sheets nor batches",
    match(C, "/(db|plugins|telemetry|kernel)/"),
    match(C, "/(transfer|batch)/"),
    ["apps/controller/src/kernel/mount.ts", "apps/controller/src/transfer/ticket.ts"],
  ),
  never(
    "a domain leaves a row in an outbox table instead of calling the gateway or a job",
    match(C, "/domains/"),
    match(C, "/(gateway|jobs)/"),
    ["apps/controller/src/domains/devices/pop/store.ts", "apps/controller/src/gateway/start.ts"],
  ),
  {
    reason: "another feature is reached by its public.ts, its tables' types by schema.ts",
    isBroken: ({ from, to }) =>
      match(C, "/(domains|gateway|jobs)/").test(from) &&
      match(C, "/domains/").test(to) &&
      !/\/(public|schema)\.ts$/.test(to) &&
      !isBelow(path.dirname(from), to),
    breaks: [
      "apps/controller/src/domains/overlay/cug/store.ts",
      "apps/controller/src/domains/devices/pop/store.ts",
    ],
  },
  never(
    "stores do not see the request",
    match(C, "/domains/.*(/|-)store\\.ts$"),
    /^@?fastify(\/|$)/,
    ["apps/controller/src/domains/overlay/cug/store.ts", "fastify"],
  ),
  never(
    "handlers do not see the database: its statements are in the store",
    match(C, "/domains/.*(/|-)routes\\.ts$"),
    match("^kysely|^pg$|/src/db/|/schema\\.ts$"),
    ["apps/controller/src/domains/overlay/cug/routes.ts", "kysely"],
  ),
  never(
    "a kernel knows no subject: the domain passes what it needs",
    /^apps\/(controller|console)\/src\/kernel\//,
    /^packages\/contract\/src\/domains\//,
    ["apps/console/src/kernel/list/list-page.tsx", "packages/contract/src/domains/devices/pop.ts"],
  ),
  {
    reason: "a folder of the console knows only those below it",
    isBroken: ({ from, to }) => {
      const place = (file: string): number =>
        consoleOrder.indexOf(match(U, "/([^/]+)/").exec(file)?.[1] ?? "");
      return place(from) > place(to) && place(to) >= 0;
    },
    breaks: ["apps/console/src/kernel/list/list-page.tsx", "apps/console/src/shell/header.tsx"],
  },
  {
    reason: "features of the console use only the parts of other domains",
    isBroken: ({ from, to }) =>
      match(U, "/(domains|shell)/").test(from) &&
      match(U, "/domains/").test(to) &&
      !match(U, "/domains/[^/]+/parts/").test(to) &&
      !isBelow(path.dirname(from), to),
    breaks: [
      "apps/console/src/domains/overlay/cug/cug-page.tsx",
      "apps/console/src/domains/devices/pop/pop-view.ts",
    ],
  },
  {
    reason:
      "pages are loaded by the views of their domain, and views by the router and ahead of it",
    isBroken: ({ from, to }) =>
      match(U, "/").test(from) &&
      ((match(U, "/domains/(?!.*/parts/).*-page\\.tsx$").test(to) &&
        !from.endsWith("/views.ts") &&
        !isBelow(path.dirname(from), to)) ||
        (to.endsWith("/app/views.ts") && !/\/app\/(?:router\.tsx|screen-ahead\.ts)$/.test(from))),
    breaks: [
      "apps/console/src/app/router.tsx",
      "apps/console/src/domains/devices/pop/pop-page.tsx",
    ],
  },
  never(
    "modals, drawers and popovers are those of ui/overlay, which return the focus",
    match(U, "/(?!ui/overlay/)"),
    /^antd\/es\/(modal|drawer|popover)(\/|$)/,
    ["apps/console/src/shell/header.tsx", "antd/es/modal"],
  ),
  never("ui knows neither router nor API", match(U, "/ui/"), /^(react-router|@tanstack)(\/|$)/, [
    "apps/console/src/ui/map.tsx",
    "react-router",
  ]),
  never("the link does not know the drivers", match(E, "/link/"), match(E, "/drivers/"), [
    "apps/edge/src/link/enrol.ts",
    "apps/edge/src/drivers/dns/plan.ts",
  ]),
  never("the drivers do not know the link", match(E, "/drivers/"), match(E, "/link/"), [
    "apps/edge/src/drivers/dns/apply.ts",
    "apps/edge/src/link/report.ts",
  ]),
  never(
    "plans and renderers are pure",
    match(E, "/(drivers/[^/]+/(plan|render[\\w-]*)|state/plan)\\.ts$"),
    match("/(apply|observe)\\.ts$|", E, "/store/|^node:"),
    ["apps/edge/src/drivers/dns/plan.ts", "apps/edge/src/drivers/dns/apply.ts"],
  ),
];

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

const sources = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"],
  { cwd: root, encoding: "utf8" },
)
  .split("\n")
  .filter((file) => programOf(file) !== "" && existsSync(inRoot(file)));

const texts = sources.flatMap((from) =>
  ts
    .preProcessFile(readFileSync(inRoot(from), "utf8"))
    .importedFiles.map(({ fileName }) => ({ from, text: fileName, to: resolve(from, fileName) })),
);

test("imports are found and resolved", () => {
  const own = texts.filter(({ to }) => programOf(to) !== "");
  expect(own.length).toBeGreaterThan(5_000);
  const missing = own.filter(({ to }) => !/\.json$/.test(to) && !existsSync(inRoot(to)));
  expect(missing.map(({ from, text }) => `${from}: ${text}`)).toEqual([]);
});

test.each(rules)("$reason", ({ isBroken, breaks: [from, to], reason }) => {
  expect(isBroken({ from, to })).toBe(true);
  const isFree = (file: string): boolean => isTest(file) && !reason.startsWith("programs");
  const broken = texts.filter((one) => !isFree(one.from) && isBroken(one));
  expect(broken.map((one) => `${one.from}: ${one.text}`)).toEqual([]);
});

test("imports name another folder by its # form", () => {
  const upwards = texts.filter(({ from, text }) => text.startsWith("..") && !isTest(from));
  expect(upwards.map(({ from, text }) => `${from}: ${text}`)).toEqual([]);
});
