/** What the console may weigh. Whoever has to raise a limit says here why. */

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

/** November 2026: what was measured and a twelfth more, so that a text more fails nobody's build. */
export const budget: Budget = {
  named: {
    entry: {
      ...{ brotli: 182 * kb, requests: 32 },
      why: "React and its DOM 56, router 25, rules of the contract (zod) 26, texts of both languages 26; the goal of the log-in is 80 in all",
    },
    "log-in": {
      ...{ brotli: 192 * kb, requests: 40 },
      why: "the entry and its own form, without the component library; goal 80",
    },
    shell: {
      ...{ brotli: 470 * kb, requests: 76 },
      why: "header, menu, tabs and toasts bring the core of the component library; goal 250",
    },
    "first list": {
      ...{ brotli: 560 * kb, requests: 104 },
      why: "table, selects, dates and drawers, which every other screen uses again; goal 360",
    },
    "src/kernel/chart/canvas.tsx": {
      brotli: 156 * kb,
      why: "ECharts with lines only; fetched when the first chart is drawn",
    },
    "file src/kernel/chart/canvas.tsx": { brotli: 156 * kb, why: "the same, as a file" },
  },
  view: 40 * kb,
  file: 60 * kb,
};
