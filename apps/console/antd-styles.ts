import { createRequire } from "node:module";
import type { ComponentType, ReactNode } from "react";
import type { Plugin } from "vite";

/** What the library's function for a stylesheet is called with: the classes that the sheet is about. */
type Classes = readonly [string, ...string[]];

/** Modules of the component library that make stylesheets, as far as the console has them, and what they export for it. */
export const sheets: Readonly<Record<string, Readonly<Record<string, Classes>>>> = {
  "_util/wave/style": { default: ["ant-wave"] },
  "app/style/index": { default: ["ant-app"] },
  "badge/style/index": { default: ["ant-badge"] },
  "button/style/compact": { default: ["ant-btn"] },
  "button/style/index": { default: ["ant-btn"] },
  "cascader/style/index": { default: ["ant-cascader"] },
  "cascader/style/panel": { default: ["ant-cascader"] },
  "checkbox/style/index": { default: ["ant-checkbox"] },
  "date-picker/style/index": { default: ["ant-picker"] },
  "drawer/style/index": { default: ["ant-drawer"] },
  "dropdown/style/index": { default: ["ant-dropdown"] },
  "empty/style/index": { default: ["ant-empty"] },
  "flex/style/index": { default: ["ant-flex"] },
  "grid/style/index": { useRowStyle: ["ant-row"], useColStyle: ["ant-col"] },
  "input-number/style/index": { default: ["ant-input-number"] },
  "input/style/index": { useSharedStyle: ["ant-input"], default: ["ant-input"] },
  "input/style/textarea": { default: ["ant-input"] },
  "menu/style/index": { default: ["ant-menu"] },
  "message/style/index": { default: ["ant-message"] },
  "modal/style/index": { default: ["ant-modal"] },
  "notification/style/index": { default: ["ant-notification"] },
  "pagination/style/bordered": { default: ["ant-pagination"] },
  "pagination/style/index": { default: ["ant-pagination"] },
  "popover/style/index": { default: ["ant-popover"] },
  "progress/style/index": { default: ["ant-progress"] },
  "qr-code/style/index": { default: ["ant-qrcode"] },
  "radio/style/index": { default: ["ant-radio"] },
  "segmented/style/index": { default: ["ant-segmented"] },
  "select/style/index": { default: ["ant-select"] },
  "space/style/addon": { default: ["ant-space-addon"] },
  "space/style/compact": { default: ["ant-space-compact"] },
  "space/style/index": { default: ["ant-space"] },
  "spin/style/index": { default: ["ant-spin"] },
  "switch/style/index": { default: ["ant-switch"] },
  "table/style/index": { default: ["ant-table"] },
  "tabs/style/index": { default: ["ant-tabs"] },
  "tooltip/style/index": { default: ["ant-tooltip"] },
  "tree-select/style/index": { default: ["ant-tree-select", "ant-select-tree"] },
  "tree/style/index": { default: ["ant-tree"] },
};

/** It is there before any other component, and has what is about all of them: links and icons. */
const first = "app/style/index";

/** Those that export a component, which renders nothing, and not a hook. */
const components = /\/(?:compact|bordered) default$/;
const hooksNamedSo = /^space\//;

const require = createRequire(import.meta.url);
/** Finds what the library itself imports. */
const requireOfLibrary = createRequire(require.resolve("antd/package.json"));

interface Cssinjs {
  createCache(): object;
  extractStyle(cache: object, options: object): string;
  readonly StyleProvider: ComponentType<{ readonly cache: object; readonly children?: ReactNode }>;
}
type ConfigProvider = ComponentType<{ readonly theme: object; readonly children?: ReactNode }>;

/** Every rule names colours and sizes by variables, which the browser gets by its theme: one text is right for all. */
const anyTheme = { hashed: false };

/** Where the library keeps which styles a page has already. */
const index = /\.data-ant-cssinjs-cache-path\{[^}]*\}/g;

/** A rule without others inside, by its selectors. */
const rule = /([^{}]+)\{([^{}]*)\}/g;
const betweenSelectors = /,(?![^(]*\))/;
const fromTheRight = /-rtl\b|\[dir=["']?rtl/;

/** Both languages are written from the left: the rules for others are left out. */
const fromTheLeft = (text: string): string =>
  text.replace(rule, (_, selectors: string, declarations: string) => {
    const kept = selectors.split(betweenSelectors).filter((one) => !fromTheRight.test(one));
    return kept.length === 0 ? "" : `${kept.join(",")}{${declarations}}`;
  });

/** Renders nothing, and calls a hook. */
function User({ use }: { readonly use: () => unknown }) {
  use();
  return null;
}

/** Text of the stylesheets of a module. */
export const sheetsOf = (module: string, theme: object = anyTheme): string => {
  const { createElement } = require("react") as typeof import("react");
  const { renderToString } = require("react-dom/server") as typeof import("react-dom/server");
  const cssinjs = requireOfLibrary("@ant-design/cssinjs") as Cssinjs;
  const { default: Provider } = require("antd/lib/config-provider") as { default: ConfigProvider };
  const made = require(`antd/lib/${module}`) as Readonly<
    Record<string, (...given: unknown[]) => unknown>
  >;
  const cache = cssinjs.createCache();
  const take = (): string =>
    fromTheLeft(
      cssinjs.extractStyle(cache, { plain: true, types: "style", once: true }).replace(index, ""),
    );
  const render = (use: () => unknown): void => {
    const provided = createElement(Provider, { theme }, createElement(User, { use }));
    renderToString(createElement(cssinjs.StyleProvider, { cache }, provided));
  };
  // What each sheet brings along is left out of all but one.
  const { default: useFlex } = require("antd/lib/flex/style") as {
    default: (prefixCls: string) => unknown;
  };
  if (module !== first) {
    render(() => useFlex("ant-none"));
    take();
  }
  for (const [name, classes] of Object.entries(sheets[module] ?? {})) {
    const use = made[name];
    if (!use) throw new Error(`antd/lib/${module} has no ${name}`);
    const isComponent = components.test(`/${module} ${name}`) && !hooksNamedSo.test(module);
    render(() => (isComponent ? use({ prefixCls: classes[0] }) : use(...classes)));
  }
  return take();
};

const styleModule = /\/node_modules\/antd\/es\/((?!theme\/)[\w/-]+\/style(?:\/\w+)?)\.js$/;

/** The library's functions that take a function which makes a stylesheet. */
const makers = new Set(["genStyleHooks", "genSubStyleComponent", "genComponentStyleHook"]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Arguments that are functions which make a stylesheet. */
const stylesIn = (node: Node): Node[] => {
  const { type, callee } = node;
  const isMaker = type === "CallExpression" && isNode(callee) && makers.has(String(callee.name));
  const [, styles] = isMaker ? (node.arguments as Node[]) : [];
  return styles ? [styles] : Object.values(node).flat().filter(isNode).flatMap(stylesIn);
};

/** The code without the functions that make stylesheets, and all that only they use. */
const withoutStyles = (code: string, styles: readonly Node[]): string =>
  styles
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { start, end }) => `${now.slice(0, start)}null${now.slice(end)}`, code);

/**
 * The stylesheets of the component library as text. The library makes them by functions, in the browser of everyone who opens a
 * page, unless its theme says that they are there (`zeroRuntime`): a fifth of what a first page took.
 */
export const antdStyles = (): Plugin => ({
  name: "weft-antd-styles",
  apply: "build",
  transform: {
    filter: { id: styleModule },
    handler(code, id) {
      const module = styleModule.exec(id)?.[1] ?? "";
      // Some components name others that the console does without.
      if (!Object.hasOwn(sheets, module)) return null;
      const styles = stylesIn(this.parse(code) as unknown as Node);
      if (styles.length === 0) this.error("makes no stylesheet in a way that is known here");
      const add = JSON.stringify(`${this.environment.config.root}/src/ui/add-sheet.ts`);
      const text = JSON.stringify(sheetsOf(module));
      return `import { addSheet } from ${add};\n${withoutStyles(code, styles)}\naddSheet(${text});\n`;
    },
  },
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      for (const [id, { code }] of Object.entries(chunk.modules)) {
        const module = styleModule.exec(id)?.[1];
        const isKnown = module === undefined || Object.hasOwn(sheets, module);
        if (!isKnown && [...makers].some((maker) => code?.includes(`${maker}(`)))
          this.error(`antd/es/${module} makes a stylesheet: which are its classes?`);
      }
    }
  },
});
