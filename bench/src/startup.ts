/** Startup time of the console, compared with bare pages of the same libraries that are built in the same run. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import react from "@vitejs/plugin-react";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { root } from "./child.ts";
import { startInstallation } from "./installation.ts";
import { type Opened, openPage, startBrowser, type Target } from "./page-load.ts";
import { type Goal, type Result, ratioResult } from "./report.ts";
import { defaultRounds, median, summarise } from "./rounds.ts";
import { firstEnterprise, seedCpes } from "./seed.ts";

const run = promisify(execFile);

/** Builds a floor page below the folder that the controller serves, with Vite as the console is. */
async function buildFloor(name: "react" | "antd", folder: string): Promise<void> {
  const floors = join(root, "bench/src/floor");
  await build({
    configFile: false,
    root: floors,
    resolve: { alias: { "/main.tsx": join(floors, name, "main.tsx") } },
    base: `/floor-${name}/`,
    plugins: [react()],
    logLevel: "error",
    build: { outDir: join(folder, `floor-${name}`), emptyOutDir: true },
  });
}

/** The built console and both floor pages in one folder, compressed by the same program. */
async function buildPages(folder: string): Promise<void> {
  await run(process.execPath, [join(root, "tools/src/console-build.ts")]);
  cpSync(join(root, "build/console"), folder, { recursive: true });
  for (const name of ["react", "antd"] as const) {
    await buildFloor(name, folder);
    const compress = join(root, "tools/src/compress-files.ts");
    await run(process.execPath, [compress, join(folder, `floor-${name}`)]);
  }
}

interface Pair {
  readonly what: string;
  readonly floorName: string;
  readonly floor: Target;
  readonly console: Target;
  /** Of the bytes against the floor's. */
  readonly goal: Goal;
}

interface Both {
  readonly floor: Opened;
  readonly console: Opened;
}

/** Opens both in turn, in alternating order. */
async function openBoth(browser: Browser, pair: Pair): Promise<Both[]> {
  const all: Both[] = [];
  for (let at = 0; at < defaultRounds; at++) {
    if (at % 2 === 0) {
      const floor = await openPage(browser, pair.floor);
      all.push({ floor, console: await openPage(browser, pair.console) });
    } else {
      const subject = await openPage(browser, pair.console);
      all.push({ floor: await openPage(browser, pair.floor), console: subject });
    }
  }
  return all;
}

type Measure = keyof Opened;

const units: Readonly<Record<Measure, string>> = {
  bytes: "kB",
  requests: "files",
  fcp: "ms",
  lcp: "ms",
  inp: "ms",
  cls: "",
};
const labels: Readonly<Record<Measure, string>> = {
  bytes: "bytes on the wire",
  requests: "requests",
  fcp: "first paint (FCP)",
  lcp: "largest paint (LCP)",
  inp: "a press to the next frame (INP)",
  cls: "shift (CLS)",
};

const amountOf = (opened: Opened, measure: Measure): number =>
  measure === "bytes" ? opened.bytes / 1_000 : opened[measure];

/** A ratio to the floor page. */
function ratioOf(pair: Pair, all: readonly Both[], measure: Measure, goal: Goal | null): Result {
  const rounds = all.map(({ floor, console }) => ({
    yardstick: amountOf(floor, measure),
    subject: amountOf(console, measure),
  }));
  const what = `${pair.what}: ${labels[measure]}`;
  const names = { bench: "startup", what, yardstick: pair.floorName, unit: units[measure] };
  return ratioResult(names, summarise(rounds), defaultRounds, goal);
}

/** The console's own value, where the floor's is zero or below the resolution of the browser. */
function ownOf(pair: Pair, all: readonly Both[], measure: Measure, goal: Goal): Result {
  const values = all.map(({ console }) => amountOf(console, measure));
  const unit = units[measure];
  const value = median(values);
  return {
    bench: "startup",
    what: `${pair.what}: ${labels[measure]}`,
    yardstick: {
      name: pair.floorName,
      value: median(all.map(({ floor }) => amountOf(floor, measure))),
      unit,
    },
    subject: { value, unit },
    measured: { value, unit },
    goal,
    spread: [Math.min(...values), Math.max(...values)],
    rounds: defaultRounds,
    isVoid: false,
  };
}

const resultsOf = (pair: Pair, all: readonly Both[]): Result[] => [
  ratioOf(pair, all, "bytes", pair.goal),
  ratioOf(pair, all, "requests", null),
  ratioOf(pair, all, "fcp", null),
  ratioOf(pair, all, "lcp", null),
  ownOf(pair, all, "lcp", { atMost: 1_250 }),
  ownOf(pair, all, "inp", { atMost: 100 }),
  ownOf(pair, all, "cls", { atMost: 0.02 }),
];

/** The login against a bare page of React, the shell with the first list against one of antd. */
export async function* startup(): AsyncIterable<Result> {
  const pages = mkdtempSync(join(tmpdir(), "weft-pages-"));
  try {
    await buildPages(pages);
    const installation = await startInstallation(pages);
    const browser = await startBrowser();
    try {
      await seedCpes(installation.sql, 200, 5);
      const token = await installation.token(firstEnterprise);
      const url = (path: string): string => `http://127.0.0.1:${installation.port}${path}`;
      const pairs: readonly Pair[] = [
        {
          what: "login, first visit on slow 4G with a processor 4 times slower",
          floorName: "bare page of React",
          floor: { url: url("/floor-react/index.html"), ready: "#press", press: "#press" },
          console: {
            url: url("/login"),
            ready: ".w-login form",
            press: ".w-login-password button",
          },
          goal: { atMost: 1.4 },
        },
        {
          what: "shell and list of CPEs, the same",
          floorName: "bare page of antd",
          floor: {
            url: url("/floor-antd/index.html"),
            ready: ".ant-table-row",
            press: "#press .ant-menu-submenu-title",
          },
          console: {
            url: url("/sdwan-system/cpe"),
            ready: ".ant-table-row",
            press: ".w-side .ant-menu-submenu-title",
            token,
          },
          goal: { atMost: 1.1 },
        },
      ];
      for (const pair of pairs) yield* resultsOf(pair, await openBoth(browser, pair));
    } finally {
      await browser.close();
      await installation.close();
    }
  } finally {
    rmSync(pages, { recursive: true, force: true });
  }
}
