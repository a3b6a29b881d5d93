import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { inTerminal, leftOf, type Terminal } from "./in-terminal.ts";
import { root } from "./repository.ts";
import { isEnding, runCommand } from "./run-command.ts";
import type { TestResult } from "./test-results.ts";

/** What people have: each major version of Node with the npm that it brings. */
const pairs = [
  ["20", "10.8.3"],
  ["22", "10.9"],
  ["24", "11"],
] as const;

/** Packages are installed and the console is built in it, on a machine that does other things too. */
const patience = 480_000;

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
  rmSync(folder, { recursive: true, force: true });
  const ms = Math.round(performance.now() - started);
  console.log(
    `${error === null ? "ok    " : "FAILED"} ${name}${error === null ? "" : `: ${error}`}`,
  );
  const result = { id: `first > ${name}`, title: name, ms };
  return error === null
    ? { ...result, state: "passed" }
    : { ...result, state: "failed", message: error };
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

const environment = (folder: string, bins?: string) => ({
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
  (process.env.PATH ?? "").split(path.delimiter).filter((one) => !one.includes("node_modules"));

/** Logs in with what the start printed, and asks for sites. */
async function provesItself(terminal: Terminal): Promise<void> {
  const url = await terminal.says(/Weft: (http:\/\/\S+)/, patience);
  const password = await terminal.says(/password (\S+)/, 1_000);
  const body = new URLSearchParams({ loginName: "admin", password });
  const login = await fetch(`${url}/api/v1/customer/login`, { method: "POST", body });
  const { data } = (await login.json()) as { data: { token: string } | null };
  if (data === null) throw new Error("the printed password does not log in");
  const headers = { authorization: data.token };
  const sites = await fetch(`${url}/api/v1/customer/cpe?page=1&limit=1`, { headers });
  const { count } = (await sites.json()) as { count?: number };
  if (!count) throw new Error("the demonstration has no sites");
}

/** Ctrl-C ends it in order, and nothing of it is left. */
async function endsInOrder(terminal: Terminal, folder: string): Promise<void> {
  const code = await terminal.interrupt();
  if (code !== 0) throw new Error(`Ctrl-C: code ${code}: ${terminal.text().slice(-500)}`);
  const left = leftOf(folder);
  if (left.length > 0) throw new Error(`Ctrl-C left behind: ${left.join("; ")}`);
}

/** `npm start` as the first command after a clone, with each Node and npm that people have. */
export async function firstStarts(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const [node, npm] of pairs) {
    if (isEnding()) break;
    const one = await attempt(`npm start, Node ${node}, npm ${npm}`, async (folder) => {
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
    results.push(one);
  }
  return results;
}

/** What a documented command says when it does its work, or ends with (code 0). */
const commands: readonly (readonly [command: string, sign: RegExp | "ends"])[] = [
  ["npm run serve", /Weft: (http:\/\/\S+)/],
  ["npm run sim", /\d+ seeds, /],
  ["npm run dev", /Local: /],
  ["npm run check", /^ok /m],
  ["npm run build:edge", "ends"],
  ["npm run size", "ends"],
  ["npm run build", "ends"],
  ["npm run hostile -- --cases 20 --seed 7", "ends"],
  ["npm run audit:verify", /operation log|empty/i],
];

/** The console itself answers, not a refusal in JSON beside a controller that says it is ready. */
async function servesConsole(url: string): Promise<void> {
  for (const path of ["/", "/login"]) {
    const page = await fetch(`${url}${path}`);
    const html = await page.text();
    const [script] = html.match(/\/assets\/[^"]+\.js/) ?? [];
    if (!page.ok || script === undefined) throw new Error(`${path}: ${html.slice(0, 200)}`);
    const code = await fetch(`${url}${script}`);
    if (!code.headers.get("content-type")?.includes("javascript")) {
      throw new Error(`${script} is no program`);
    }
  }
}

/** Each documented command as the first one after a clone, as far as to its work. */
export async function firstCommands(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  const packages = path.join(root, "node_modules");
  for (const [command, sign] of commands) {
    if (isEnding()) break;
    const one = await attempt(command, async (folder) => {
      const clone = path.join(folder, "clone");
      await cloneTo(clone);
      // The installation is what the starts test: links of its files cost no time.
      if (existsSync(packages)) await ran("cp", "-al", packages, path.join(clone, "node_modules"));
      const terminal = inTerminal(command, clone, environment(folder));
      try {
        if (sign === "ends") {
          const code = await terminal.ends(patience);
          if (code !== 0) throw new Error(`code ${code}: ${terminal.text().slice(-500)}`);
        } else {
          const url = await terminal.says(sign, patience);
          if (command === "npm run serve") await servesConsole(url);
          await terminal.interrupt();
        }
        const left = leftOf(folder);
        if (left.length > 0) throw new Error(`left behind: ${left.join("; ")}`);
      } finally {
        terminal.kill();
      }
    });
    results.push(one);
  }
  return results;
}
