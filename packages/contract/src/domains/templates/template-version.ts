/** Versions of a template: what each holds, where it acts, and the return to it (docs/adr/0031-template-versions.md). */
import { z } from "zod";
import { objectDifference } from "#domains/delivery/history.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { rolloutStates } from "./rollout.ts";
import { versionNumber } from "./version-number.ts";

const row = z.object({
  version: z.number(),
  createTime: codec.instant,
  /** Who published it; null: the account is gone. */
  createBy: z.string().nullable(),
  /** Objects that it holds; ports and others that every template has from the start count once they are set. */
  objects: z.number(),
  /** The same by family, those without objects left out. */
  families: z.array(z.object({ family: z.string(), count: z.number() })),
  /** CPEs that follow it. */
  cpes: z.number(),
  /** Those of them whose device confirmed a configuration with it. */
  acts: z.number(),
  /** Of its rollout in waves; null: it was published to all at the same time. */
  rolloutState: z.enum(rolloutStates).nullable(),
  /** It was found to be bad by the gates of its rollout, or by an operator. */
  isBad: codec.flag,
  /** The first version that held exactly the same; null: none before it did. */
  sameAs: z.number().nullable(),
});
export type TemplateVersionRow = z.output<typeof row>;

/** Published versions of a template, the newest first. */
export const routerTemplateVersionList = pagedEndpoint({
  id: "routerTemplateVersion.list",
  addition:
    "operators see what each version holds and where it acts; the specification has no call",
  method: "GET",
  path: "/customer/routerTemplateVersion/list",
  input: z.object({ ...pageFields, templateId: codec.id }),
  output: row,
  may: "routerTemplateList",
});

/** Objects that one comparison shows at most; `count` says how many there are. */
export const maxComparedObjects = 500;

/** What lies between two versions of a template; null stands for its draft. */
export const routerTemplateVersionCompare = endpoint({
  id: "routerTemplateVersion.compare",
  addition: "operators see what a version changed before they restore it",
  method: "GET",
  path: "/customer/routerTemplateVersion/compare",
  input: z.object({
    templateId: codec.id,
    from: codec.orNull(versionNumber).default(null),
    to: codec.orNull(versionNumber).default(null),
  }),
  output: z.object({
    from: z.number().nullable(),
    to: z.number().nullable(),
    objects: z.array(objectDifference),
    count: z.number(),
    /** Names what the draft holds now: a restore that names it overwrites nothing that was not seen. */
    draft: z.string(),
  }),
  may: "routerTemplateView",
});

/**
 * The draft of a template becomes what a version holds; CPEs follow what they followed. Refused with
 * `conflict` when the draft is not what `draft` names any more; empty: it is overwritten whatever it holds.
 */
export const routerTemplateVersionRestore = endpoint({
  id: "routerTemplateVersion.restoreDraft",
  addition: "operators restore a version; the specification has no call for it",
  method: "POST",
  path: "/customer/routerTemplateVersion/restoreDraft",
  input: z.object({
    templateId: codec.id,
    version: versionNumber,
    draft: codec.orNull(codec.text(64)).default(null),
  }),
  output: nothing,
  may: "routerTemplateEdit",
});
