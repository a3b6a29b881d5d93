/** What the console may weigh. A raised limit needs its reason here. */

/** Bytes of Brotli, and files that are asked for, at most. */
export interface Limit {
  readonly brotli: number;
  readonly requests?: number;
  readonly why: string;
}

export interface Budget {
  /** Things that have a limit of their own. */
  readonly named: Readonly<Record<string, Limit>>;
  /** Any other view, beside what the shell has fetched already. */
  readonly view: number;
  /** Any other file. */
  readonly file: number;
}

const kb = 1_000;

/** November 2026: what was measured and a twelfth more, so that one more text does not fail a build. */
export const budget: Budget = {
  named: {
    login: {
      ...{ brotli: 78 * kb, requests: 4 },
      why: "React and its DOM 60, start and session 6, the form with its texts 4, styles 2; goal 80. What it does without is in apps/console/chunks.ts",
    },
    shell: {
      ...{ brotli: 342 * kb, requests: 14 },
      why: "schemas and session 32, router and screens 53, the component library's core 96, header, menu and tabs 58; goal 250",
    },
    "first list": {
      ...{ brotli: 460 * kb, requests: 35 },
      why: "table, selects and switches, which every other list uses again; states of health with their causes in both languages 2, files of rows 2; goal 360",
    },
    "src/parts/chart/canvas.tsx": {
      brotli: 156 * kb,
      why: "ECharts with lines only; fetched when the first chart is rendered",
    },
    "file src/parts/chart/canvas.tsx": { brotli: 156 * kb, why: "the same, as a file" },
    "file start": { brotli: 75 * kb, why: "the login, which is one file" },
    "file library": { brotli: 104 * kb, why: "theme, toasts, dialogs and buttons of antd" },
    "file shell": {
      brotli: 68 * kb,
      why: "header, menu and tabs; 65 measured when the shell began to give every list its button for files, which lists would else each bring",
    },
    "file lists": {
      brotli: 95 * kb,
      why: "table, pages, selects: what all lists are made of; 88 measured when lists began to show what acts and how often it fits",
    },
  },
  // Reports and logs bring the date picker (32), which no list waits for any more.
  view: 52 * kb,
  file: 64 * kb,
};
