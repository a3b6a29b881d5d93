/** Resources and calls of this domain, for the lists of all. */
import type { SamplesOf } from "#contract/samples/sample.ts";
import * as rollout from "./rollout.ts";
import * as routerTemplate from "./router-template.ts";
import * as target from "./template-target.ts";
import * as version from "./template-version.ts";

export const resources = {
  routerTemplate: routerTemplate.routerTemplate,
} as const;

export const calls: readonly object[] = [routerTemplate, rollout, version, target];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  routerTemplate: routerTemplate.routerTemplateSamples,
};
