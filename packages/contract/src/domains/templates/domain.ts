/** Resources and calls of this domain, for the lists of all. */
import * as routerTemplate from "./router-template.ts";

export const resources = {
  routerTemplate: routerTemplate.routerTemplate,
} as const;

export const calls: readonly object[] = [routerTemplate];
