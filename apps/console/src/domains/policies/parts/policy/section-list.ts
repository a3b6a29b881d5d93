import { templateScreens } from "@weft/contract/domains/templates/menu.ts";

interface Section {
  /** Last part of its path (specification section 2.4). */
  readonly key: string;
  readonly group: "network" | "object" | "policy";
}

/** Sections of a template, in the order of the list at the left. Their names are those of the menu. */
export const templateSections: readonly Section[] = [
  ...(["interface", "wan", "lan", "dns", "bgp", "ospf"] as const).map(
    (key): Section => ({ key, group: "network" }),
  ),
  ...(["ipGroup", "urlGroup", "timeGroup"] as const).map(
    (key): Section => ({ key, group: "object" }),
  ),
  ...(
    [
      "policyRoute",
      "portMapping",
      "bandwidthTunnel",
      "bandwidthPolicy",
      "connectionControl",
      "customPolicy",
    ] as const
  ).map((key): Section => ({ key, group: "policy" })),
];

/** Groups of sections of templates and of nodes. */
export const sectionGroups = ["network", "object", "policy", "system"] as const;

/** What the menu calls a section. */
export const sectionTitle = (key: string, language: string): string => {
  const title = templateScreens.find(({ path }) => path === `/business/template/${key}`)?.title;
  return (language === "zh_cn" ? title?.[0] : title?.[1]) ?? key;
};
