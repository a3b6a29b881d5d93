import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import { compileFailures, taskStatuses } from "#domains/delivery/enums.ts";
import { objectDifference } from "#domains/delivery/history.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { accessOf, defineResource, withCalls } from "#kernel/resource.ts";
import * as text from "#rules/text.ts";
import { rolloutStates } from "./rollout.ts";
import { fromVersion } from "./version-number.ts";

/** A set of policies for many CPEs (specification 2.7). What it holds is a draft until it is published. */
const draft = z.object({
  templateName: text.name,
  remark: text.remark,
});

const row = z.object({
  templateId: z.number(),
  /** The name, as lists spell it; requests say templateName. */
  temName: z.string(),
  templateName: z.string(),
  remark: z.string(),
  groupid: z.number(),
  enterpriseName: z.string(),
  /** CPEs in it. */
  cpeNum: z.number(),
  /** Those of them that run the version published last. */
  cpeFinishNum: z.number(),
  /** Published last; 0: never. */
  version: z.number(),
  /** Of the newest rollout in waves; null: there was none, or a version was published after it. */
  rolloutState: z.enum(rolloutStates).nullable(),
  /** The version published last was found to be bad. */
  isBad: codec.flag,
  createTime: codec.instant,
  createBy: z.string().nullable(),
});

const may = {
  list: "routerTemplateList",
  add: "routerTemplateAdd",
  edit: "routerTemplateEdit",
  remove: "routerTemplateRemove",
  combo: null,
} as const;

const query = z.object({ temName: codec.orNull(codec.text(text.limits.name)) });

const declared = defineResource({
  name: "routerTemplate",
  title: ["模板", "Template"],
  path: "/customer/routerTemplate",
  id: "templateId",
  row,
  draft,
  query,
  verbs: ["list", "add", "edit", "remove"],
  sort: ["templateId", "temName", "createTime"],
  sheet: { key: ["templateName"] },
  may,
});

/** Paged by `page` and `size`; `limit` is accepted as well, `templateName` as `temName`. */
export const routerTemplateList = pagedEndpoint({
  ...declared.ops.list,
  auth: "session",
  may: accessOf(declared, "list"),
  input: declared.ops.list.input.extend({
    templateName: query.shape.temName,
    limit: codec.orNull(pageFields.limit.unwrap()),
    size: codec.orNull(pageFields.limit.unwrap()),
  }),
  output: declared.row,
});

/** A template, with the list's own way of paging. */
export const routerTemplate = withCalls(declared, { list: routerTemplateList });

/** Choices of a select. */
export const routerTemplateCombo = endpoint({
  id: "routerTemplate.combo",
  method: "GET",
  path: "/customer/routerTemplate/combo",
  input: z.object({}),
  output: z.array(z.object({ templateId: z.number(), templateName: z.string() })),
  may: screens("/business-system/templatemanage", "routerTemplateView", "routerTemplateList"),
});

/**
 * Freezes what each template holds as its next version and sends that to its CPEs: one log item
 * each, status 0. A GET, as the specification has it. With `fromVersion` a past version of one template
 * takes the place of what it holds; its draft stays.
 */
export const routerTemplateIssue = endpoint({
  id: "routerTemplate.issue",
  method: "GET",
  path: "/customer/routerTemplate/issue",
  input: z.object({ templateId: codec.someIds, fromVersion }),
  output: nothing,
  may: "routerTemplateEdit",
  acts: true,
});

/** An object of a template that is not applied as configured on a CPE, and why. */
const templateFinding = z.object({
  family: z.string(),
  objectId: z.number(),
  name: z.string(),
  effect: z.enum(["cannot", "fallback"]),
  reason: z.string(),
  params: z.record(z.string(), z.string()),
});

/** What of a version is not applied as configured on a CPE. */
const unmetFields = {
  /** Objects that are not applied as configured: all of them, and those that do not act at all. */
  unmet: z.number(),
  cannot: z.number(),
  /** The first of them, those that do not act at all before the others. */
  findings: z.array(templateFinding),
} as const;

/** Objects that one difference of a preview shows at most; `count` says how many there are. */
export const maxPreviewObjects = 200;

/**
 * What an issue would come to, before it goes out: what the template holds now, or a past version, is compiled against one page
 * of its CPEs, and those for which it comes to the same are one group. A group of the same `key` on another
 * page is the same one. Nothing is written or sent.
 */
export const routerTemplatePreview = endpoint({
  id: "routerTemplate.preview",
  addition:
    "operators see what an issue changes and what will not act; the specification has no call for it",
  method: "GET",
  path: "/customer/routerTemplate/preview",
  input: z.object({
    templateId: codec.id,
    fromVersion,
    page: codec.int(1, 1_000_000).default(1),
    limit: codec.int(1, 50).default(20),
  }),
  output: z.object({
    /** The number that the issue would have. */
    version: z.number(),
    /** Objects that it would hold. */
    objects: z.number(),
    /** All CPEs of the template. */
    cpes: z.number(),
    groups: z.array(
      z.object({
        key: z.string(),
        cpes: z.array(z.object({ id: z.number(), name: z.string() })),
        /** False: no device has reported what it can; what does not act is known when one does. */
        isKnown: z.boolean(),
        /** Policy objects between the version that they follow and the next, then their devices' states. */
        differences: z.array(objectDifference),
        count: z.number(),
        /** Why no configuration could be generated; null: it can. */
        failure: z.object({ code: z.enum(compileFailures), detail: z.string() }).nullable(),
        ...unmetFields,
      }),
    ),
  }),
  may: "routerTemplateEdit",
});

const templateCpe = z.object({
  id: z.number(),
  alias: z.string(),
  groupid: z.number(),
  enterprise: z.object({ name: z.string() }),
  /** The template that it is in; null: in none, or in one that is not the caller's to see. */
  templateId: z.number().nullable(),
  templateName: z.string().nullable(),
  /** True: it is in a template, which may be one that the caller does not see. */
  taken: codec.flag,
  remark: z.string(),
});

/** CPEs that are not in this template, by alias. */
export const routerTemplateAllCpes = endpoint({
  id: "routerTemplate.getAllCpeList",
  method: "GET",
  path: "/customer/routerTemplate/getAllCpeList",
  input: z.object({
    templateId: codec.id,
    groupid: codec.orNull(codec.id),
    alias: codec.orNull(codec.text(text.limits.name)),
  }),
  output: z.array(templateCpe),
  may: "routerTemplateEdit",
});

/** CPEs of this template, by alias. */
export const routerTemplateCpes = endpoint({
  id: "routerTemplate.getCpeList",
  method: "GET",
  path: "/customer/routerTemplate/getCpeList",
  input: z.object({
    templateId: codec.id,
    alias: codec.orNull(codec.text(text.limits.name)),
  }),
  output: z.array(templateCpe),
  may: "routerTemplateEdit",
});

const relation = z.object({ templateId: codec.id, cpeIds: codec.someIds });

/** Puts CPEs into a template; the next issue reaches them. One that is in another is refused. */
export const routerTemplateRelAdd = endpoint({
  id: "routerTemplateRel.add",
  method: "POST",
  path: "/customer/routerTemplateRel/add",
  input: relation,
  output: nothing,
  may: "routerTemplateEdit",
});

/** Takes CPEs out: what the template set on them is removed immediately. */
export const routerTemplateRelRemove = endpoint({
  id: "routerTemplateRel.remove",
  method: "POST",
  path: "/customer/routerTemplateRel/remove",
  input: relation,
  output: nothing,
  may: "routerTemplateEdit",
});

/**
 * Gives out a token for /business-system/templatemanage (section 2.1): a visitor with it acts as the
 * caller with the permissions of templates alone, for ten minutes or until the caller's login ends.
 * `token` is shown this once.
 */
export const routerTemplateVisit = endpoint({
  id: "routerTemplate.visit",
  method: "POST",
  path: "/customer/routerTemplate/visit",
  input: z.object({}),
  output: z.object({ token: z.string(), expireTime: codec.instant }),
  may: "routerTemplateList",
});

/** Ends every link that the caller gave out and that still works, from any login; answers how many. */
export const routerTemplateEndVisits = endpoint({
  id: "routerTemplate.endVisits",
  method: "POST",
  path: "/customer/routerTemplate/endVisits",
  input: z.object({}),
  output: z.object({ ended: z.number() }),
  may: "routerTemplateList",
});

/** What became of issues, CPE by CPE, the newest first; readable after the template is gone. */
export const routerTemplateLogList = pagedEndpoint({
  id: "routerTemplateLog.list",
  method: "GET",
  path: "/customer/routerTemplateLog/list",
  input: z.object({ ...pageFields, templateId: codec.id }),
  output: z.object({
    logId: z.number(),
    templateId: z.number(),
    cpeId: z.number(),
    cpeName: z.string(),
    version: z.number(),
    /** The version was found to be bad by the gates of its rollout, or by an operator. */
    isBad: codec.flag,
    /** Issue. */
    createTime: codec.instant,
    /** Completion, failure or cancellation; null: not yet. */
    updateTime: codec.instant.nullable(),
    status: codec.code(taskStatuses),
    /** Template and version; for a failure, the reason that the device gave. */
    content: z.string(),
    ...unmetFields,
  }),
  may: "routerTemplateList",
});

export const routerTemplateSamples: Samples<typeof routerTemplate> = {
  valid: () => ({ templateName: "分支标准", remark: "门店通用" }),
  edited: () => ({ templateName: "分支标准-2", remark: "" }),
  distinct: ({ name }) => ({ templateName: name }),
  invalid: [
    { field: "templateName", value: "", rule: "required" },
    { field: "templateName", value: "a b", rule: "name" },
  ],
};
