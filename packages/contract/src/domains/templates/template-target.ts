/** Enterprises whose CPEs a template includes, those of later as well: a rule, not a list of CPEs. */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";

/** Enterprises of a template. */
export const routerTemplateTargetList = endpoint({
  id: "routerTemplateTarget.list",
  addition: "a template serves all sites of an enterprise, those of later as well",
  method: "GET",
  path: "/customer/routerTemplateTarget/list",
  input: z.object({ templateId: codec.id }),
  output: z.array(
    z.object({
      groupid: z.number(),
      /** Empty: the caller may not see the enterprise. */
      enterpriseName: z.string(),
      /** CPEs of the enterprise that the caller sees: all, in this template, in others, and taken out by hand. */
      cpes: z.number(),
      members: z.number(),
      elsewhere: z.number(),
      excluded: z.number(),
      createTime: codec.instant,
      createBy: z.string().nullable(),
    }),
  ),
  may: "routerTemplateEdit",
});

const target = z.object({ templateId: codec.id, groupid: codec.id });

/**
 * Takes an enterprise in: its CPEs that are in no template come into this one with the next issue, and one that is added
 * later comes in by itself and follows the newest version that is not bad. A CPE that is taken out by hand stays out.
 * An enterprise is of one template.
 */
export const routerTemplateTargetAdd = endpoint({
  id: "routerTemplateTarget.takeEnterprise",
  addition: "a template serves all sites of an enterprise, those of later as well",
  method: "POST",
  path: "/customer/routerTemplateTarget/takeEnterprise",
  input: target,
  output: z.object({ added: z.number() }),
  may: "routerTemplateEdit",
});

/** CPEs that are added to the enterprise later stay out; those that are in the template stay in it. */
export const routerTemplateTargetRemove = endpoint({
  id: "routerTemplateTarget.leaveEnterprise",
  addition: "a template serves all sites of an enterprise, those of later as well",
  method: "POST",
  path: "/customer/routerTemplateTarget/leaveEnterprise",
  input: target,
  output: nothing,
  may: "routerTemplateEdit",
});
