import type { templateMessages } from "./messages.ts";

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

export const sectionGroups = ["network", "object", "policy"] as const;

export const groupKey = (group: Section["group"]): keyof typeof templateMessages =>
  `template.group.${group}`;
