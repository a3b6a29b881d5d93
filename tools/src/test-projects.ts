/** One Vitest project. vitest.config.ts makes projects from this table, `npm test` its stages. */
export interface TestProject {
  name: string;
  folder: string;
  stage: "unit" | "lab" | "e2e";
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
  { name: "e2e", folder: "e2e/src", stage: "e2e" },
  { name: "look", folder: "e2e/look", stage: "e2e" },
];
