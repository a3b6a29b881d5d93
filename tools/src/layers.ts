// Which folder may import what: the one place where the direction of dependencies is written down.
// Biome matches the text of an import, replaces a rule's options where two overrides meet, and has
// no variables; so its overrides are generated from this table. `npm run layers` writes them into
// biome.json, and a test refuses a biome.json that differs.
import { writeFileSync } from "node:fs";
import { bin, inRoot, readJson } from "./repository.ts";
import { runCommand } from "./run-command.ts";

/** One refusal: gitignore-style globs over import texts, and what to do instead. */
interface ImportRule {
  group: readonly string[];
  message: string;
  /** An import that this rule must refuse; the test feeds it to Biome. */
  refuses: string;
}

interface Layer {
  includes: readonly string[];
  /** A file of this layer, for the test. */
  probe: string;
  rules: readonly ImportRule[];
  /** Imports that must pass in the probe file. */
  allows: readonly string[];
  /** True where neither Node modules nor `process` may be used. */
  nodeFree?: boolean;
}

const parent: ImportRule = {
  group: ["..", "../**"],
  message: "No parent-relative imports: use the # form of this workspace's package.json.",
  refuses: "../kernel/mount.ts",
};
const programs: ImportRule = {
  group: ["@weft/**", "!@weft/contract/**"],
  message: "The programs never import each other: only the contract is shared.",
  refuses: "@weft/lab/wan.ts",
};
// Without it "./features/x/y.ts" in src/ would pass by every rule that speaks of "#features".
const downwards: ImportRule = {
  group: ["./*/**"],
  message: "Another folder is imported by its # form, so that the rules of layers see it.",
  refuses: "./kernel/call.ts",
};

const contractOnlyZod: ImportRule = {
  group: ["**", "!zod", "!./**", "!#{kernel,rules,enums,resources,contract}/**"],
  message: "The contract imports zod and its own files, nothing else.",
  refuses: "ipaddr.js",
};

const views: ImportRule = {
  group: ["./views.ts", "#app/views.ts"],
  message: "Only app/router.tsx imports the views.",
  refuses: "#app/views.ts",
};
const pages: ImportRule = {
  group: ["#features/**/*-page.tsx"],
  message: "Only app/views/ imports pages.",
  refuses: "#features/pop/pop-page.tsx",
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
const anyFeature: ImportRule = {
  group: ["#features/**"],
  message: "Shell, kernel and ui know no feature.",
  refuses: "#features/pop/pop-view.ts",
};
const otherView: ImportRule = {
  group: ["#features/**"],
  message: "Console features do not import each other: compose in app, or move the part down.",
  refuses: "#features/pop/pop-view.ts",
};
const kernel: ImportRule = {
  group: ["#kernel/**"],
  message: "The ui folder stands below the kernel.",
  refuses: "#kernel/use-call.ts",
};
const routerAndApi: ImportRule = {
  group: ["react-router", "react-router/**", "@tanstack/**"],
  message: "The ui folder knows neither router nor API.",
  refuses: "react-router",
};

const bareOverlay: ImportRule = {
  group: ["antd/es/modal", "antd/es/drawer"],
  message: "Use Modal and Drawer of #kernel/overlay: they give the focus back.",
  refuses: "antd/es/modal",
};

const wholeController: ImportRule = {
  group: ["#controller/*/**", "#controller/main*.ts"],
  message: "Use the # form of that folder; nobody imports an entry.",
  refuses: "#controller/features/pop/store.ts",
};
const upwards: ImportRule = {
  group: ["#features/**", "#gateway/**", "#jobs/**"],
  message: "Kernel, db and plugins know neither features nor gateway nor jobs.",
  refuses: "#jobs/compile.ts",
};
const outbox: ImportRule = {
  group: ["#gateway/**", "#jobs/**"],
  message: "Features never import gateway or jobs: leave a row in an outbox table.",
  refuses: "#gateway/connections.ts",
};
const publicOnly: ImportRule = {
  group: ["#features/**", "!#features/*/public.ts"],
  message: "Another feature is reached through its public.ts only.",
  refuses: "#features/pop/store.ts",
};
const request: ImportRule = {
  group: ["fastify", "@fastify/**"],
  message: "Stores never see the request.",
  refuses: "fastify",
};
const database: ImportRule = {
  group: ["kysely", "kysely/**", "pg", "#db/**"],
  message: "Handlers never see Kysely or the database: ask the store.",
  refuses: "#db/schema.ts",
};

const wholeEdge: ImportRule = {
  group: ["#edge/*/**", "#edge/main.ts"],
  message: "Use the # form of that folder; nobody imports the entry.",
  refuses: "#edge/drivers/dns/apply.ts",
};
const drivers: ImportRule = {
  group: ["#drivers/**"],
  message: "The link does not know the drivers: state joins them.",
  refuses: "#drivers/dns/plan.ts",
};
const link: ImportRule = {
  group: ["#link/**"],
  message: "The drivers do not know the link: state joins them.",
  refuses: "#link/report.ts",
};
const impure: ImportRule = {
  group: ["./apply.ts", "./observe.ts", "#store/**"],
  message: "Plans and renderers are pure: no apply, no observe, no store.",
  refuses: "./apply.ts",
};

const anyApp = [parent, programs];
const feature = [...anyApp, wholeController, outbox, publicOnly];
const plan = [...anyApp, wholeEdge, link, impure];
const wire = "@weft/contract/menu.ts";

// Of two layers that hold a file the later one counts, whole.
export const layers: readonly Layer[] = [
  {
    includes: ["lab/**", "e2e/**", "sim/**", "tools/**"],
    probe: "lab/src/wan.ts",
    rules: [parent],
    allows: ["./namespace.ts", wire, "node:fs"],
  },
  {
    // Programs are started as children; what is measured inside one is loaded by path at run time.
    includes: ["bench/**"],
    probe: "bench/src/list-call.ts",
    rules: [parent, programs],
    allows: ["./rounds.ts", wire, "node:fs", "pg", "ws", "fastify"],
  },
  {
    includes: ["packages/contract/src/**"],
    probe: "packages/contract/src/resources/pop.ts",
    rules: [contractOnlyZod],
    allows: ["zod", "./circuit.ts", "#rules/port.ts", "#contract/errors.ts"],
    nodeFree: true,
  },
  ...consoleLayers(),
  ...controllerLayers(),
  ...edgeLayers(),
  {
    // A test may reach into its folder's neighbours, but into no other program.
    includes: ["packages/**/*.test.ts", "apps/**/*.test.{ts,tsx}", "{packages,apps}/*/test/**"],
    probe: "apps/controller/src/features/pop/pop.test.ts",
    rules: [programs],
    allows: ["vitest", "node:fs", "../pop/store.ts", "#db/schema.ts", wire],
  },
];

function consoleLayers(): Layer[] {
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
  return [
    layer("*", "main.tsx", [downwards, views], ["react", "#app/router.tsx", "#kernel/call.ts"]),
    layer("app/**", "app/providers.tsx", [views, pages], ["#shell/header.tsx", "#ui/map.tsx"]),
    layer("app/router.tsx", "app/router.tsx", [pages], ["./views.ts", "#features/pop/pop-view.ts"]),
    layer("app/views/**", "app/views/site.ts", [], ["#features/pop/pop-page.tsx"]),
    layer(
      "shell/**",
      "shell/header.tsx",
      [app, anyFeature, bareOverlay],
      ["#kernel/call.ts", "#ui/map.tsx"],
    ),
    layer(
      "features/**",
      "features/circuit/circuit-page.tsx",
      [app, shell, otherView, bareOverlay],
      ["./circuit-view.ts", "#kernel/call.ts", "react-router"],
    ),
    layer("kernel/**", "kernel/call.ts", [app, shell, anyFeature, bareOverlay], ["#ui/map.tsx"]),
    layer(
      "kernel/overlay/**",
      "kernel/overlay/modal.tsx",
      [app, shell, anyFeature],
      ["antd/es/modal"],
    ),
    layer("ui/**", "ui/chart.tsx", [app, shell, anyFeature, kernel, routerAndApi], ["antd"]),
  ];
}

function controllerLayers(): Layer[] {
  const src = "apps/controller/src";
  return [
    {
      includes: [`${src}/*`],
      probe: `${src}/main.ts`,
      rules: [...anyApp, downwards],
      allows: ["#features/pop/routes.ts", "#gateway/connections.ts", "#jobs/compile.ts", wire],
    },
    {
      includes: [`${src}/{kernel,db,plugins}/**`],
      probe: `${src}/kernel/mount.ts`,
      rules: [...anyApp, wholeController, upwards],
      allows: ["#db/schema.ts", "fastify", "kysely", "node:fs", wire],
    },
    {
      includes: [`${src}/{gateway,jobs}/**`],
      probe: `${src}/jobs/compile.ts`,
      rules: [...anyApp, wholeController, publicOnly],
      allows: ["#features/pop/public.ts", "#kernel/scope.ts", "kysely", wire],
    },
    {
      includes: [`${src}/features/**`],
      probe: `${src}/features/circuit/rules.ts`,
      rules: feature,
      allows: ["#features/pop/public.ts", "./store.ts", "#kernel/refuse.ts", wire],
    },
    {
      includes: [`${src}/features/**/{store,*-store}.ts`],
      probe: `${src}/features/circuit/store.ts`,
      rules: [...feature, request],
      allows: ["kysely", "#db/schema.ts"],
    },
    {
      includes: [`${src}/features/**/{routes,*-routes}.ts`],
      probe: `${src}/features/circuit/routes.ts`,
      rules: [...feature, database],
      allows: ["fastify", "./store.ts", "#kernel/mount.ts"],
    },
  ];
}

function edgeLayers(): Layer[] {
  const src = "apps/edge/src";
  return [
    {
      includes: [`${src}/*`],
      probe: `${src}/main.ts`,
      rules: [...anyApp, downwards],
      allows: ["#link/report.ts", "#drivers/dns/apply.ts", "#state/run.ts", wire],
    },
    {
      includes: [`${src}/{state,store}/**`],
      probe: `${src}/state/run.ts`,
      rules: [...anyApp, wholeEdge],
      allows: ["#link/report.ts", "#drivers/dns/plan.ts", "#edge/config.ts", "node:fs"],
    },
    {
      includes: [`${src}/link/**`],
      probe: `${src}/link/enrol.ts`,
      rules: [...anyApp, wholeEdge, drivers],
      allows: ["ws", "./backoff.ts", "#store/journal.ts", "node:crypto", wire],
    },
    {
      includes: [`${src}/drivers/**`],
      probe: `${src}/drivers/qos/apply.ts`,
      rules: [...anyApp, wholeEdge, link],
      allows: ["./plan.ts", "node:child_process", wire],
    },
    {
      includes: [`${src}/drivers/*/{plan,render*}.ts`, `${src}/state/plan.ts`],
      probe: `${src}/drivers/qos/plan.ts`,
      rules: plan,
      allows: ["./render.ts", "#drivers/tunnel/plan.ts", wire],
      nodeFree: true,
    },
  ];
}

interface Override {
  includes: readonly string[];
  linter?: { rules?: { style?: { noRestrictedImports?: unknown } } };
}

interface BiomeConfig {
  overrides: Override[];
}

/** The overrides of biome.json that the table asks for, in the order of the table. */
export function layerOverrides(): Override[] {
  return layers.map(({ includes, rules, nodeFree }) => ({
    includes,
    linter: {
      rules: {
        ...(nodeFree && { correctness: { noNodejsModules: "error", noProcessGlobal: "error" } }),
        style: {
          noRestrictedImports: {
            level: "error",
            options: { patterns: rules.map(({ group, message }) => ({ group, message })) },
          },
        },
      },
    },
  }));
}

/** biome.json as it should be: generated overrides first, so that those kept by hand may relax. */
export function withLayers(config: BiomeConfig): BiomeConfig {
  const byHand = config.overrides.filter((o) => !o.linter?.rules?.style?.noRestrictedImports);
  return { ...config, overrides: [...layerOverrides(), ...byHand] };
}

if (import.meta.main) {
  const config = withLayers(readJson<BiomeConfig>("biome.json"));
  writeFileSync(inRoot("biome.json"), JSON.stringify(config));
  await runCommand([bin("biome"), "format", "--write", "biome.json"]);
}
