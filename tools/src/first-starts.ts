import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { login } from "@weft/contract/domains/access/session.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { inTerminal, type Terminal } from "./in-terminal.ts";
import { endLeftBehind, programsIn } from "./left-behind.ts";
import { root } from "./repository.ts";
import { isEnding, runCommand } from "./run-command.ts";
import { ofNetwork } from "./test-environment.ts";
import type { TestResult } from "./test-reporter.ts";

/** What people have: each major version of Node with the npm that it brings. */
const pairs = [
  ["20", "10.8.3"],
  ["22", "10.9"],
  ["24", "11"],
] as const;

/** Packages are installed and the console is built in it; the limit only ends what hangs. */
const patience = 1_200_000;

async function ran(...argv: readonly [string, ...string[]]): Promise<void> {
  const { code, output } = await runCommand(argv, { capture: true });
  if (code !== 0) throw new Error(`${argv.join(" ")} ended with code ${code}: ${output}`);
}

/** Runs one case in a folder of its own; prints how it ended. */
async function attempt(name: string, run: (folder: string) => Promise<void>): Promise<TestResult> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "weft-first-"));
  const started = performance.now();
  const error = await run(folder).then(
    () => null,
    (thrown: unknown) => String(thrown),
  );
  // What a case that failed has left would write on, and hide the reason behind that of the removal.
  await endLeftBehind(() => programsIn(folder), 0);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  const ms = Math.round(performance.now() - started);
  console.log(
    `${error === null ? "ok    " : "FAILED"} ${name}${error === null ? "" : `: ${error}`}`,
  );
  const state = error === null ? "passed" : "failed";
  return { id: `first > ${name}`, ms, state, message: error ?? undefined };
}

const cloneTo = (clone: string) => ran("git", "clone", "--quiet", root, clone);

/** Node and npm of these versions as packages: folders that come first in PATH. */
async function runtimes(folder: string, node: string, npm: string): Promise<string> {
  const platform = `node-${process.platform}-${process.arch}`;
  const install = ["npm", "install", "--no-audit", "--no-fund", "--prefix"] as const;
  await ran(...install, path.join(folder, "node"), `${platform}@${node}`);
  await ran(...install, path.join(folder, "npm"), `npm@${npm}`);
  const bins = [`node/node_modules/${platform}/bin`, "npm/node_modules/.bin"];
  return bins.map((bin) => path.join(folder, bin)).join(path.delimiter);
}

const environment = (folder: string, bins?: string): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = ""]) =>
      ofNetwork.test(name) ? [[name, value]] : [],
    ),
  ),
  PATH: [...(bins ? [bins] : []), ...pathWithoutOurs()].join(path.delimiter),
  HOME: process.env.HOME ?? folder,
  WEFT_DATA: path.join(folder, "data"),
  WEFT_LAB_DIR: path.join(folder, "lab"),
  WEFT_PORT: "0",
  WEFT_EDGE_PORT: "0",
  WEFT_EDGE_ADDRESSES: "",
});

/** Without what this program's own start put there: a newcomer has none of it. */
const pathWithoutOurs = (): string[] =>
  (process.env.PATH ?? "").split(path.delimiter).filter((text) => !text.includes("node_modules"));

/** For what is printed or ended in the moment after something else. */
const answerMs = 30_000;

/** The screen is for a person: steps and a banner at the end, no log in JSON and no stack. */
export function refuseUnreadable(text: string): void {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const flood = lines.filter((line) => /\{"(level|time|msg)":|^\s+at .+:\d+:\d+\)?$/.test(line));
  if (flood.length > 0) throw new Error(`${flood.length} lines for no person: ${flood[0]}`);
  const banner = [/^Weft: http/, /^(First administrator|Password): /, /^Log: /, /^Stop: Ctrl-C/];
  const last = lines.slice(-banner.length);
  if (!banner.every((pattern, place) => pattern.test(last[place] ?? ""))) {
    throw new Error(`the last lines are not those for the user: ${last.join(" | ")}`);
  }
}

/** Logs in with what the start printed, and asks for sites. */
async function provesItself(terminal: Terminal): Promise<void> {
  const url = await terminal.says(/Weft: (http:\/\/\S+)/, patience);
  const password = await terminal.says(/password (\S+)/, answerMs);
  await terminal.says(/Stop: Ctrl-C/, answerMs);
  refuseUnreadable(terminal.text());
  await servesConsole(url);
  const body = new URLSearchParams({ loginName: "admin", password });
  const session = await fetch(`${url}${login.path}`, { method: "POST", body });
  const { data } = (await session.json()) as { data: { token: string } | null };
  if (data === null) throw new Error("the printed password does not log in");
  const headers = { authorization: data.token };
  const sites = await fetch(`${url}${cpe.ops.list.path}?page=1&limit=1`, { headers });
  const answer = await sites.text();
  const { count } = JSON.parse(answer) as { count?: number };
  if (!count) throw new Error(`the demonstration has no sites: ${answer.slice(0, 500)}`);
}

/** No process of a folder is left, once those had a moment that end with their parent. */
async function leavesNothing(folder: string): Promise<void> {
  const left = await endLeftBehind(() => programsIn(folder), answerMs);
  if (left.length > 0)
    throw new Error(`left behind: ${left.map(({ command }) => command).join("; ")}`);
}

/** Ctrl-C ends it in order, and nothing of it is left. */
async function endsInOrder(terminal: Terminal, folder: string): Promise<void> {
  const code = await terminal.interrupt();
  // The terminal signals npm as well, and some of its versions end with the signal's code.
  if (code !== 0 && code !== 130)
    throw new Error(`Ctrl-C: code ${code}: ${terminal.text().slice(-500)}`);
  await leavesNothing(folder);
}

/** `npm start` as the first command after a clone, with each Node and npm that people have. */
export async function firstStarts(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const [node, npm] of pairs) {
    if (isEnding()) break;
    const testResult = await attempt(`npm start, Node ${node}, npm ${npm}`, async (folder) => {
      const bins = await runtimes(folder, node, npm);
      const clone = path.join(folder, "clone");
      await cloneTo(clone);
      const terminal = inTerminal("npm start", clone, environment(folder, bins));
      try {
        await provesItself(terminal);
        await endsInOrder(terminal, folder);
      } finally {
        terminal.kill();
      }
    });
    results.push(testResult);
  }
  return results;
}

/** Built in one clone and served in another one, which has nothing to build with. */
export async function productionStart(): Promise<TestResult[]> {
  const line = "npm run serve";
  const testResult = await attempt(`${line}, only what production runs`, async (folder) => {
    const [workshop, clone] = [path.join(folder, "workshop"), path.join(folder, "clone")];
    await cloneTo(workshop);
    await ran("npm", "--prefix", workshop, "run", "build");
    await cloneTo(clone);
    await ran("cp", "-r", path.join(workshop, "build"), clone);
    const env = { ...environment(folder), NODE_ENV: "production" };
    const terminal = inTerminal(line, clone, env);
    try {
      const url = await terminal.says(/Weft: (http:\/\/\S+)/, patience);
      await terminal.says(/Stop: Ctrl-C/, answerMs);
      refuseUnreadable(terminal.text());
      await servesConsole(url);
      refuseBuildTools(clone);
      await endsInOrder(terminal, folder);
    } finally {
      terminal.kill();
    }
  });
  return [testResult];
}

/** As npm recorded it; what a production install omits would be a quarter of a gigabyte and more. */
function refuseBuildTools(clone: string): void {
  const record = readFileSync(path.join(clone, "node_modules/.package-lock.json"), "utf8");
  const { packages } = JSON.parse(record) as { packages: Record<string, { dev?: boolean }> };
  const tools = Object.keys(packages).filter((name) => packages[name]?.dev);
  if (tools.length > 0) throw new Error(`${tools.length} packages too many: ${tools[0]}`);
}

/** A documented command as the first one after a clone. */
interface FirstCommand {
  readonly line: string;
  /** What it prints when it does its work; its first group, if any, is the address of a console. */
  readonly sign?: RegExp;
  /** Code that it ends with by itself; absent: it goes on until Ctrl-C. */
  readonly code?: number;
  /** The console's program as its page names it, where it has an address. */
  readonly script?: RegExp;
  /** It prints the banner of a start, and no log. */
  readonly isStart?: boolean;
  /** A command that ends what it leaves running. */
  readonly undo?: string;
}

const built = /src="(\/assets\/[^"]+\.js)"/;

/** All of package.json but `lock`, which needs no package, `start` and campaigns of their own. */
export const firstCommandLines: readonly FirstCommand[] = [
  { line: "npm run serve", sign: /Weft: (http:\/\/\S+)/, script: built, isStart: true },
  { line: "npm run dev", sign: /Local:\s+(http:\/\/\S+)/, script: /src="(\/src\/[^"]+\.tsx)"/ },
  {
    line: "npm run lab",
    undo: "npm run lab -- down",
    code: 0,
    sign: /console\s+(http:\/\/\S+)/,
    script: built,
  },
  { line: "npm run sim", sign: /\d+ seeds, / },
  { line: "npm run check", sign: /^ok /m },
  { line: "npm run format", code: 0 },
  { line: "npm run tables", code: 0 },
  { line: "npm run build:edge", code: 0 },
  { line: "npm run build", code: 0 },
  { line: "npm run size", code: 0 },
  { line: "npm run matrix", sign: /^matrix: \d+ endpoints .* 0 leaks/m, code: 0 },
  { line: "npm run hostile -- --cases 20 --seed 7", code: 0 },
  { line: "npm run cases -- packages/contract/spec/validators.json", sign: / 0 differ/, code: 0 },
  { line: "npm run acceptance", sign: /run npm test first/, code: 2 },
  { line: "npm run bench -- none", sign: /no bench named none; there are /, code: 2 },
  { line: "npm run audit:verify", sign: /No database under .*: set WEFT_DATA/, code: 2 },
  { line: "npm run admin:password -- x", sign: /Usage: npm run admin:password/, code: 1 },
  { line: "npm run secrets:rotate", sign: /contains no key for secrets/, code: 1 },
  { line: "npm run key:rotate", sign: /Usage: npm run key:rotate/, code: 1 },
  { line: "npm run backup", sign: /Usage: npm run backup -- FILE/, code: 1 },
  { line: "npm run restore", sign: /Usage: npm run backup -- FILE, or npm run restore/, code: 1 },
  { line: "npm run pictures", code: 0 },
  { line: "npm test -- none", sign: /no none; there are system, build, check/, code: 2 },
];

/** The console itself answers, not a refusal in JSON beside a controller that says it is ready. */
async function servesConsole(url: string, script = built): Promise<void> {
  for (const route of ["/", "/login"]) {
    // As a browser asks: to a program, an address of the console is one that is not there.
    const page = await fetch(new URL(route, url), { headers: { accept: "text/html" } });
    const html = await page.text();
    const isPage = page.ok && page.headers.get("content-type")?.includes("text/html");
    const program = script.exec(html)?.[1];
    if (!isPage || program === undefined) throw new Error(`${route}: ${html.slice(0, 200)}`);
    const code = await fetch(new URL(program, url));
    if (!code.ok || !code.headers.get("content-type")?.includes("javascript")) {
      throw new Error(`${program} is no program`);
    }
  }
}

async function proves(terminal: Terminal, command: FirstCommand): Promise<void> {
  const { sign, code, script, isStart } = command;
  if (sign) {
    const text = await terminal.says(sign, patience);
    if (isStart) {
      await terminal.says(/Stop: Ctrl-C/, answerMs);
      refuseUnreadable(terminal.text());
    }
    if (script) await servesConsole(text, script);
  }
  const ended = await (code === undefined ? terminal.interrupt() : terminal.ends(patience));
  if (code !== undefined && ended !== code) {
    throw new Error(`ended with code ${ended}: ${terminal.text().slice(-500)}`);
  }
}

/** Each documented command as the first one after a clone, as far as to its work. */
export async function firstCommands(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  const packages = path.join(root, "node_modules");
  for (const command of firstCommandLines) {
    if (isEnding()) break;
    const testResult = await attempt(command.line, async (folder) => {
      const clone = path.join(folder, "clone");
      await cloneTo(clone);
      if (existsSync(packages)) {
        // The installation is what the starts test: links of its files cost no time, and another file system has none.
        const isHere = statSync(packages).dev === statSync(clone).dev;
        await ran("cp", isHere ? "-al" : "-a", packages, path.join(clone, "node_modules"));
      }
      const terminal = inTerminal(command.line, clone, environment(folder));
      try {
        await proves(terminal, command);
      } finally {
        terminal.kill();
        if (command.undo) await inTerminal(command.undo, clone, environment(folder)).ends(patience);
      }
      await leavesNothing(folder);
    });
    results.push(testResult);
  }
  return results;
}
