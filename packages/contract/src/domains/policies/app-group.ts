import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import { areApplications } from "#rules/applications.ts";
import { byName, named } from "./policy-fields.ts";

/** Application protocols, out of the catalogue and the owner's own ones (rules/applications.ts). */
export const appGroup = definePolicyFamily({
  name: "routerAppgroup",
  title: ["应用组", "application group"],
  plural: "application groups",
  fields: z.object({
    ...named,
    l7ids: codec.someIds.refine(areApplications, failsWith("unknown")),
  }),
  facts: z.object({}),
  label: "name",
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["name"],
  merge: byName,
});
