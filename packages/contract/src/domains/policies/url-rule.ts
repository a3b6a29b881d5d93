import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import { isUrl } from "#rules/text.ts";
import { urlAction, urlActions } from "./enums.ts";
import { named, ordered, orderedRule, reference } from "./policy-fields.ts";

/** HTTP control. */
export const urlRule = definePolicyFamily({
  ...orderedRule,
  name: "routerUrlrule",
  title: ["URL 规则", "URL rule"],
  plural: "URL rules",
  fields: z
    .object({
      ...named,
      ...ordered,
      urlgroupId: codec.id,
      ipgroupId: reference,
      timeId: reference,
      action: codec.code(urlActions),
      redirectUrl: codec.orNull(z.string().max(1_024).refine(isUrl, failsWith("url"))),
    })
    .refine(
      ({ action, redirectUrl }) => action !== urlAction.redirect || redirectUrl !== null,
      failsWith("required", {}, ["redirectUrl"]),
    ),
  references: {
    urlgroupId: "routerUrlgroup",
    ipgroupId: "routerIpgroup",
    timeId: "routerTimenode",
  },
  // A device that cannot redirect denies instead.
  denies: ({ action }) => action !== urlAction.allow,
});
