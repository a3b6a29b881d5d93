import path from "node:path";

/** The stages of `npm test` that Vitest runs, each as a process of its own. */
export type VitestStage = "unit" | "lab" | "e2e" | "shared";

/** One Vitest project. vitest.config.ts makes projects from this table, `npm test` its stages. */
export interface TestProject {
  readonly name: string;
  readonly folder: string;
  readonly stage: VitestStage;
  /** Its test files relative to the root, where they are not all of its folder. */
  readonly files?: readonly string[];
  /** Its files, and those of other projects of the stage that say so, run two at a time. */
  readonly inPairs?: boolean;
}

export const testProjects: readonly TestProject[] = [
  { name: "contract", folder: "packages/contract", stage: "unit" },
  { name: "controller", folder: "apps/controller", stage: "unit" },
  { name: "edge", folder: "apps/edge", stage: "unit" },
  { name: "console", folder: "apps/console", stage: "unit" },
  { name: "bench", folder: "bench", stage: "unit" },
  { name: "sim", folder: "sim", stage: "unit" },
  { name: "tools", folder: "tools", stage: "unit" },
  { name: "lab", folder: "lab", stage: "lab" },
  // Real daemons in namespaces of this machine: they wait for each other more than they compute.
  {
    name: "machine",
    folder: "apps/edge",
    stage: "lab",
    inPairs: true,
    files: [
      "apps/edge/src/drivers/machine.test.ts",
      "apps/edge/src/drivers/paths/quality-moves.test.ts",
      "apps/edge/src/drivers/classes/class-moves.test.ts",
      "apps/edge/src/drivers/path-mtu.test.ts",
      "apps/edge/src/drivers/line-edits.test.ts",
      "apps/edge/src/drivers/central.test.ts",
      "apps/edge/src/drivers/dns/controls.test.ts",
      "apps/edge/src/drivers/dns/resolver.test.ts",
      "apps/edge/src/drivers/firewall/battery.test.ts",
      "apps/edge/src/drivers/firewall/bypass.test.ts",
      "apps/edge/src/drivers/firewall/flows.test.ts",
      "apps/edge/src/drivers/firewall/foreign.test.ts",
      "apps/edge/src/drivers/firewall/groups.test.ts",
      "apps/edge/src/drivers/firewall/isolation.test.ts",
      "apps/edge/src/drivers/firewall/lockout.test.ts",
      "apps/edge/src/drivers/firewall/nat-kinds.test.ts",
      "apps/edge/src/drivers/firewall/next-hops.test.ts",
      "apps/edge/src/drivers/firewall/policy-routes.test.ts",
      "apps/edge/src/drivers/firewall/port-maps.test.ts",
      "apps/edge/src/drivers/firewall/time-groups.test.ts",
      "apps/edge/src/drivers/firewall/trace.test.ts",
      "apps/edge/src/drivers/firewall/under-load.test.ts",
      "apps/edge/src/drivers/isolation/detour.test.ts",
      "apps/edge/src/drivers/routing/ospf.test.ts",
      "apps/edge/src/drivers/routing/site.test.ts",
      "apps/edge/src/drivers/shaping/circuits.test.ts",
      "apps/edge/src/drivers/segment/segment.test.ts",
      "apps/edge/src/drivers/shaping/shaping.test.ts",
      "apps/edge/src/drivers/standby/standby.test.ts",
      "apps/edge/src/drivers/isolation/isolation.test.ts",
      "apps/edge/src/drivers/underlay/cards.test.ts",
      "apps/edge/src/packaging.test.ts",
    ],
  },
  // They measure how long a line that falls is felt: no other lab starts its programs meanwhile.
  { name: "overlay", folder: "e2e/lab", stage: "lab", files: ["e2e/lab/overlay.test.ts"] },
  // Each has a whole network of its own, three devices and a controller, and deadlines that users have.
  { name: "journeys", folder: "e2e/lab", stage: "lab" },
  { name: "e2e", folder: "e2e/src", stage: "e2e" },
  { name: "shared", folder: "e2e/shared", stage: "shared" },
];

/** Informs vitest.config.ts that a stage runs: path of its reports, without their endings. */
export const reportVariable = "WEFT_TEST_REPORT";

/** Files of a folder that belong to another project than the folder's own. */
export const takenFrom = ({ name, folder }: TestProject): readonly string[] =>
  testProjects.flatMap((other) =>
    other.name !== name && other.folder === folder ? (other.files ?? []) : [],
  );

/** Whether a file, relative to the root, is one of a project's. */
export function isOf(project: TestProject, file: string): boolean {
  if (project.files) return project.files.includes(file);
  const isBelow = !path.relative(project.folder, file).startsWith("..");
  return isBelow && !takenFrom(project).includes(file);
}
