import { readFileSync } from "node:fs";
import { type Plugin, parseSync } from "vite";

/** What one module of a library imports, and no page of the console comes to use. */
export interface LeftOut {
  /** The module that imports it, as it is named below `node_modules`. */
  readonly of: string;
  /** As that module names it. */
  readonly imports: string;
  /** What it does use of it, and the module that has it, as the imported one names it. */
  readonly keeps?: Readonly<Record<string, string>>;
}

/**
 * A bundler leaves out exports that nobody imports. These are imported, by a component that would use them for a property that
 * no page of the console gives it.
 */
export const leftOut: readonly LeftOut[] = [
  // Lists filter above their rows and not in the heads of columns, for which there are a tree, radio buttons and a menu.
  { of: "antd/es/table/hooks/useFilter/index", imports: "./FilterDropdown" },
  // Rows are selected by checkboxes, and are no tree.
  { of: "antd/es/table/hooks/useSelection", imports: "../../radio" },
  {
    of: "antd/es/table/hooks/useSelection",
    imports: "@rc-component/tree",
    keeps: {
      arrAdd: "./util",
      arrDel: "./util",
      conductCheck: "./utils/conductUtil",
      convertDataToEntities: "./utils/treeUtil",
    },
  },
  { of: "@rc-component/tree/es/util", imports: "./TreeNode" },
  // What stands for content that is on its way is our own.
  { of: "antd/es/drawer/DrawerPanel", imports: "../skeleton" },
  { of: "antd/es/modal/Modal", imports: "../skeleton" },
  // JSON Schema of the calls is made by the controller.
  {
    of: "zod/v4/classic/schemas",
    imports: "../core/json-schema-processors.js",
    keeps: { aggregateChecks: "./json-schema-processors.js" },
  },
  { of: "zod/v4/classic/schemas", imports: "../core/to-json-schema.js" },
];

const exportsOf = (file: string): string[] => {
  const { errors, module } = parseSync(file, readFileSync(file, "utf8"));
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName }) => exportName.name ?? "default"),
  );
};

/**
 * A module in place of another one: its exports are functions that say that it is left out, but for those that are kept.
 * @throws Error for a kept export that it does not have: another release of the library
 */
export const inPlaceOf = (file: string, { of, imports, keeps = {} }: LeftOut): string => {
  const names = exportsOf(file);
  const lost = Object.keys(keeps).filter((name) => !names.includes(name));
  if (lost.length > 0) throw new Error(`${file} has no ${lost.join(", ")}`);
  const gone = names.filter((name) => !Object.hasOwn(keeps, name));
  const text = JSON.stringify(`${imports} of ${of} is left out of this build`);
  return [
    `const gone = () => { throw new Error(${text}); };`,
    ...gone.map((name) => `export { gone as ${name} };`),
    ...Object.entries(keeps).map(([name, module]) => `export { ${name} } from "${module}";`),
  ].join("\n");
};

const mark = "\0left-out:";

const moduleOf = (id: string): string => /.*\/node_modules\/(.+)\.m?js$/.exec(id)?.[1] ?? "";

/** Leaves it out of the built console. */
export const leaveOut = (): Plugin => {
  /** Where in the list it stands, and the file that it is in place of. */
  const marked = /^\0left-out:(\d+):(.*)$/s;
  const met = new Set<number>();
  return {
    name: "weft-left-out",
    apply: "build",
    enforce: "pre",
    buildStart: () => met.clear(),
    async resolveId(imports, importer) {
      const [, , file] = marked.exec(importer ?? "") ?? [];
      // What is kept of a module is named as that module would name it.
      if (file !== undefined) return await this.resolve(imports, file, { skipSelf: true });
      const module = moduleOf(importer ?? "");
      const at = leftOut.findIndex((one) => one.of === module && one.imports === imports);
      if (at < 0) return null;
      const real = await this.resolve(imports, importer, { skipSelf: true });
      if (!real) return null;
      met.add(at);
      return `${mark}${at}:${real.id}`;
    },
    load(id) {
      const [, at = "", file = ""] = marked.exec(id) ?? [];
      const wanted = leftOut[Number(at)];
      return at === "" || !wanted
        ? null
        : { code: inPlaceOf(file, wanted), moduleSideEffects: false };
    },
    buildEnd(error) {
      if (error) return;
      const unmet = leftOut.filter((_, at) => !met.has(at));
      if (unmet.length > 0) {
        const names = unmet.map(({ of, imports }) => `${imports} of ${of}`);
        this.error(`nothing imports ${names.join(", ")} any more`);
      }
    },
  };
};
