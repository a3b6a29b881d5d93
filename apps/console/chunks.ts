import type { Plugin, Rolldown } from "vite";

/**
 * Parts that are fetched one after the other, each with all that it cannot do without: a part holds
 * what the parts before it did not bring. Without this every set of screens that shares something
 * gets a file of its own, and the first list asks for a hundred.
 */
const stages: readonly { readonly name: string; readonly from: readonly string[] }[] = [
  { name: "start", from: ["src/main.tsx"] },
  {
    name: "calls",
    from: [
      "src/client/load-session.ts",
      "src/domains/access/session/login-calls.ts",
      // With the menus, which it reads: the screen's files are asked for before the router is there.
      "src/app/screen-ahead.ts",
    ],
  },
  { name: "screens", from: ["src/app/routed.tsx"] },
  { name: "library", from: ["src/app/appearance.tsx"] },
  { name: "shell", from: ["src/app/signed-in.tsx"] },
  {
    name: "lists",
    from: [
      ...["list-page.tsx", "use-list.ts", "use-selection.ts", "columns.tsx"].map(
        (file) => `src/kernel/list/${file}`,
      ),
      "src/client/opened.ts",
      "src/feedback/use-remove.ts",
      // Of the controls of forms the only one that stands above a list, too.
      "src/kernel/form/choice.tsx",
    ],
  },
  { name: "forms", from: ["src/kernel/form/resource-form.tsx"] },
  {
    name: "nodes",
    // The first list whole: on its own it would be a file for each thing that it shares with some other screen.
    from: [
      "src/domains/devices/cpe/cpe-page.tsx",
      "src/domains/devices/parts/node/node-columns.tsx",
      "src/domains/delivery/parts/state/messages.ts",
    ],
  },
  // What is opened from it, with what the dialogs of other screens share with that.
  { name: "dialogs", from: ["src/domains/devices/parts/node/claim-dialog.tsx"] },
];

/** Those that every screen with a session needs after the first file, in the order in which they are. */
export const shellParts: readonly string[] = ["calls", "screens", "library", "shell", "lists"];

/** What the pages of a site show of its device: each of these small modules of the contract would be a file. */
const deviceContract =
  /\/contract\/src\/(?:device\/v1\/(?:section|text|numbers|findings|commands|paths|path-classes|segments|dns|acceleration)|domains\/policies\/destination-enums)\.ts$/;

const smallStyles: ReadonlySet<string> = new Set(["shell", "lists", "forms", "nodes", "dialogs"]);

/**
 * What the first file, which is the login, does without: schemas, the texts of every resource, the
 * menu, the router and the component library. All of it is fetched while the user types.
 */
const notAtStart =
  /\/node_modules\/(?:zod|antd|react-router|@tanstack)\/|\/contract\/src\/(?:messages|menu|domains\/[a-z]+\/messages)\.ts$/;

/** Ids of what some modules import, and what that imports; what is fetched later is not in it. */
const closure = (
  from: readonly string[],
  importsOf: (id: string) => readonly string[],
): Set<string> => {
  const seen = new Set<string>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...importsOf(id));
  }
  return seen;
};

/** Which module goes into which file of the built console. */
export const chunks = (): {
  readonly plugin: Plugin;
  readonly codeSplitting: Rolldown.CodeSplittingOptions;
} => {
  const stageOf = new Map<string, string>();
  return {
    plugin: {
      name: "weft-stages",
      apply: "build",
      buildEnd() {
        const ids = [...this.getModuleIds()];
        for (const { name, from } of stages) {
          const first = from.map((end) => {
            const id = ids.find((one) => one.endsWith(`/apps/console/${end}`));
            if (id === undefined) throw new Error(`the console has no ${end}`);
            return id;
          });
          const importsOf = (id: string): readonly string[] =>
            this.getModuleInfo(id)?.importedIds ?? [];
          for (const id of closure(first, importsOf)) {
            if (name === "start" && notAtStart.test(id)) {
              const by = this.getModuleInfo(id)?.importers.join(", ");
              throw new Error(`the login would wait for ${id}, which it gets from ${by}`);
            }
            // A stylesheet of at most two thousand bytes is no file of its own: it comes with those of the library.
            const isSmallStyle = smallStyles.has(name) && id.endsWith(".css");
            if (!stageOf.has(id)) stageOf.set(id, isSmallStyle ? "library" : name);
          }
        }
      },
    },
    codeSplitting: {
      groups: [
        ...stages.map(({ name }, at) => ({
          name,
          test: (id: string): boolean => stageOf.get(id) === name,
          priority: stages.length - at,
        })),
        {
          name: "device",
          test: (id: string): boolean => !stageOf.has(id) && deviceContract.test(id),
          priority: 0,
        },
      ],
    },
  };
};
