// Which folder may import what: the one place where the direction of dependencies is written down.
// Biome matches the text of an import, replaces a rule's options where two overrides meet, and has
// no variables; so its overrides are generated from this table. `npm run layers` writes them into
// biome.json, and a test refuses a biome.json that differs.
import { writeFileSync } from "node:fs";
import { consoleLayers } from "./console-layers.ts";
import {
  anyApp,
  downwards,
  type ImportRule,
  type Layer,
  parent,
  programs,
  subjects,
  wire,
} from "./layer-rules.ts";
import { bin, inRoot, readJson } from "./repository.ts";
import { runCommand } from "./run-command.ts";

const contractOnlyZod: ImportRule = {
  group: ["**", "!zod", "!./**", "!#{domains,kernel,rules,enums,contract}/**"],
  message: "The contract imports zod and its own files, nothing else.",
  refuses: "ipaddr.js",
};

const wholeController: ImportRule = {
  group: ["#start/**", "#backup/**", "#demonstration/**"],
  message: "Nothing imports what starts the controller, saves it or fills it with examples.",
  refuses: "#start/settings.ts",
};
const upwards: ImportRule = {
  group: ["#domains/**", "#gateway/**", "#jobs/**"],
  message: "What domains are made of knows neither domains nor gateway nor jobs.",
  refuses: "#jobs/presence.ts",
};
const tablesOnly: ImportRule = {
  group: ["#domains/**", "!#domains/*/schema.ts", "#gateway/**", "#jobs/**"],
  message: "The database knows the tables of the domains and nothing else of them.",
  refuses: "#domains/devices/public.ts",
};
const sheets: ImportRule = {
  group: ["#transfer/**", "#batch/**"],
  message: "Kernel, db and plugins know neither files that go in and out nor work on many rows.",
  refuses: "#transfer/ticket.ts",
};
const outbox: ImportRule = {
  group: ["#gateway/**", "#jobs/**"],
  message: "Features never import gateway or jobs: leave a row in an outbox table.",
  refuses: "#gateway/connections.ts",
};
const publicOnly: ImportRule = {
  group: [
    "#domains/**",
    "!#domains/*/public.ts",
    "!#domains/*/*/public.ts",
    "!#domains/*/schema.ts",
  ],
  message: "Another feature is reached through its public.ts only, its tables' types by schema.ts.",
  refuses: "#domains/devices/pop/store.ts",
};
const request: ImportRule = {
  group: ["fastify", "@fastify/**"],
  message: "Stores never see the request.",
  refuses: "fastify",
};
const database: ImportRule = {
  group: ["kysely", "kysely/**", "pg", "#db/**", "**/schema.ts"],
  message: "Handlers never see Kysely or the database: ask the store.",
  refuses: "#db/schema.ts",
};

const wholeEdge: ImportRule = {
  group: ["#edge/*/**", "#edge/main.ts"],
  message: "Use the # form of that folder; nothing imports the entry.",
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

/** A bench may build a lab: some numbers are of real packets only. */
const installedPrograms: ImportRule = {
  group: ["@weft/**", "!@weft/contract/**", "!@weft/lab/**"],
  message: "A bench starts the programs as they are installed: only contract and lab are shared.",
  refuses: "@weft/edge/run.ts",
};

const feature = [...anyApp, wholeController, outbox, publicOnly];
const plan = [...anyApp, wholeEdge, link, impure];

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
    rules: [parent, installedPrograms],
    allows: ["./rounds.ts", wire, "node:fs", "pg", "ws", "fastify", "@weft/lab/ping.ts"],
  },
  {
    includes: ["packages/contract/src/**"],
    probe: "packages/contract/src/domains/devices/pop.ts",
    rules: [contractOnlyZod],
    allows: ["zod", "./circuit.ts", "#rules/port.ts", "#contract/errors.ts"],
    nodeFree: true,
  },
  ...consoleLayers,
  ...controllerLayers(),
  ...edgeLayers(),
  {
    // A test may reach into its folder's neighbours, but into no other program.
    includes: ["packages/**/*.test.ts", "apps/**/*.test.{ts,tsx}", "{packages,apps}/*/test/**"],
    probe: "apps/controller/src/domains/devices/pop/pop.test.ts",
    rules: [programs],
    allows: ["vitest", "node:fs", "../pop/store.ts", "#db/schema.ts", wire],
  },
];

function controllerLayers(): Layer[] {
  const src = "apps/controller/src";
  return [
    {
      includes: [`${src}/*`, `${src}/{start,commands}/**`],
      probe: `${src}/main.ts`,
      rules: [...anyApp, downwards],
      allows: [
        "#start/settings.ts",
        "#backup/write-backup.ts",
        "#domains/devices/routes.ts",
        "#gateway/start.ts",
        "#jobs/start.ts",
        wire,
      ],
    },
    {
      includes: [`${src}/{db,plugins}/**`],
      probe: `${src}/db/pool.ts`,
      rules: [...anyApp, wholeController, upwards, sheets],
      allows: ["#db/schema.ts", "fastify", "kysely", "node:fs", wire],
    },
    {
      // Announcements that all may publish, and what counts them: it knows no domain.
      includes: [`${src}/telemetry/**`],
      probe: `${src}/telemetry/open.ts`,
      rules: [...anyApp, wholeController, upwards, sheets],
      allows: ["#db/pool.ts", "#metrics-store/open.ts", "prom-client", "fastify", wire],
    },
    {
      // Types of tables are their domains' own; joined here, they are the type of the database.
      includes: [`${src}/db/schema.ts`],
      probe: `${src}/db/schema.ts`,
      rules: [...anyApp, wholeController, tablesOnly, sheets],
      allows: ["#domains/devices/schema.ts", "./columns.ts", "kysely"],
    },
    {
      includes: [`${src}/kernel/**`],
      probe: `${src}/kernel/mount.ts`,
      rules: [...anyApp, wholeController, upwards, sheets, subjects],
      allows: ["#db/schema.ts", "fastify", "kysely", "node:fs", wire],
    },
    {
      includes: [`${src}/{transfer,batch}/**`],
      probe: `${src}/transfer/ticket.ts`,
      rules: [...anyApp, wholeController, upwards],
      allows: ["#kernel/mount.ts", "#db/pool.ts", "fastify", wire],
    },
    {
      includes: [`${src}/{gateway,jobs}/**`],
      probe: `${src}/jobs/presence.ts`,
      rules: [...anyApp, wholeController, publicOnly],
      allows: ["#domains/devices/pop/public.ts", "#kernel/scope.ts", "kysely", wire],
    },
    {
      includes: [`${src}/domains/**`],
      probe: `${src}/domains/overlay/circuit/rules.ts`,
      rules: feature,
      allows: ["#domains/devices/pop/public.ts", "./store.ts", "#kernel/refuse.ts", wire],
    },
    {
      includes: [`${src}/domains/**/{store,*-store}.ts`],
      probe: `${src}/domains/overlay/circuit/store.ts`,
      rules: [...feature, request],
      allows: ["kysely", "#db/schema.ts"],
    },
    {
      includes: [`${src}/domains/**/{routes,*-routes}.ts`],
      probe: `${src}/domains/overlay/circuit/routes.ts`,
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
