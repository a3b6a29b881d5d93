/** Which folder of the console may import what. */
import { anyApp, downwards, type ImportRule, type Layer, subjects, wire } from "./layer-rules.ts";

const views: ImportRule = {
  group: ["./views.ts", "#app/views.ts"],
  message: "Only app/router.tsx imports the views.",
  refuses: "#app/views.ts",
};
const pages: ImportRule = {
  group: ["#domains/**/*-page.tsx"],
  message: "Only the views.ts of a domain imports pages.",
  refuses: "#domains/devices/pop/pop-page.tsx",
};
const app: ImportRule = {
  group: ["#app/**"],
  message: "Only main imports the app folder.",
  refuses: "#app/providers.tsx",
};
const shell: ImportRule = {
  group: ["#shell/**"],
  message: "Only the app folder imports the shell.",
  refuses: "#shell/header.tsx",
};
const anyDomain: ImportRule = {
  group: ["#domains/**"],
  message: "What domains are made of knows no domain.",
  refuses: "#domains/devices/parts/node/node-head.tsx",
};
/** What a domain offers to others is in its `parts` folder. */
const otherFeature: ImportRule = {
  group: ["#domains/**", "!#domains/*/parts/**"],
  message: "Features do not import each other: compose in app, or use the parts of a domain.",
  refuses: "#domains/devices/pop/pop-view.ts",
};
const parts: ImportRule = {
  group: ["#parts/**"],
  message: "Parts are a layer above the kernel.",
  refuses: "#parts/chart/line-chart.tsx",
};
const kernel: ImportRule = {
  group: ["#kernel/**"],
  message: "What the kernel is made of does not know the kernel.",
  refuses: "#kernel/resource-view.tsx",
};
const feedback: ImportRule = {
  group: ["#feedback/**"],
  message: "The client reports errors by throwing them: feedback is a layer above it.",
  refuses: "#feedback/toast.tsx",
};
const client: ImportRule = {
  group: ["#client/**"],
  message: "The ui folder knows neither session, texts nor calls: they come as properties.",
  refuses: "#client/use-call.ts",
};
const routerAndApi: ImportRule = {
  group: ["react-router", "react-router/**", "@tanstack/**"],
  message: "The ui folder knows neither router nor API.",
  refuses: "react-router",
};

const bareOverlay: ImportRule = {
  group: ["antd/es/modal", "antd/es/drawer", "antd/es/popover"],
  message: "Use Modal, Drawer and Popover of #ui/overlay: they give the focus back.",
  refuses: "antd/es/modal",
};

const src = "apps/console/src";

const layer = (
  folder: string,
  probe: string,
  rules: readonly ImportRule[],
  allows: readonly string[],
): Layer => ({
  includes: [`${src}/${folder}`],
  probe: `${src}/${probe}`,
  rules: [...anyApp, ...rules],
  allows: [...allows, wire],
  nodeFree: true,
});

/** What domains are made of, from above: each folder knows those below it only. */
const order = [app, shell, anyDomain, parts, kernel, feedback, client];
const below = (rule: ImportRule): readonly ImportRule[] => order.slice(0, order.indexOf(rule));
const ui = [...order, routerAndApi];

export const consoleLayers: readonly Layer[] = [
  layer("*", "main.tsx", [downwards, views], ["react", "#app/router.tsx", "#client/call.ts"]),
  layer("app/**", "app/providers.tsx", [views, pages], ["#shell/header.tsx", "#ui/map.tsx"]),
  layer(
    "app/router.tsx",
    "app/router.tsx",
    [pages],
    ["./views.ts", "#domains/devices/pop/pop-view.ts"],
  ),
  layer(
    "shell/**",
    "shell/header.tsx",
    [app, otherFeature, bareOverlay],
    ["#client/call.ts", "#parts/live.ts", "#ui/map.tsx"],
  ),
  layer(
    "domains/**",
    "domains/overlay/circuit/circuit-page.tsx",
    [app, shell, otherFeature, bareOverlay],
    [
      "./circuit-view.ts",
      "#domains/devices/parts/node/node-head.tsx",
      "#kernel/list/list-page.tsx",
    ],
  ),
  layer(
    "parts/**",
    "parts/chart/line-chart.tsx",
    [...below(parts), bareOverlay],
    ["#kernel/list/list-page.tsx", "#feedback/toast.tsx", "react-router"],
  ),
  layer(
    "kernel/**",
    "kernel/resource-view.tsx",
    [...below(kernel), bareOverlay, subjects],
    ["#feedback/toast.tsx", "#client/use-call.ts", "#ui/map.tsx"],
  ),
  layer(
    "feedback/**",
    "feedback/toast.tsx",
    [...below(feedback), bareOverlay],
    ["#client/texts.ts", "#ui/overlay/modal.tsx"],
  ),
  layer(
    "client/**",
    "client/call.ts",
    [...below(client), bareOverlay],
    ["@tanstack/react-query", "#ui/map.tsx"],
  ),
  layer("ui/**", "ui/chart.tsx", [...ui, bareOverlay], ["antd"]),
  layer("ui/overlay/**", "ui/overlay/modal.tsx", ui, ["antd/es/modal"]),
];
