import type { ViewName } from "@weft/contract/menu.ts";
import { businessViews } from "#app/views/business.ts";
import { monitorViews } from "#app/views/monitor.ts";
import { personalViews } from "#app/views/personal.ts";
import { siteViews } from "#app/views/site.ts";
import { systemViews } from "#app/views/system.ts";
import { templateViews } from "#app/views/template.ts";
import type { Load } from "#app/views/view.ts";

/** Screen of each view word of the menu. */
const views: Readonly<Record<ViewName, Load>> = {
  ...siteViews,
  ...businessViews,
  ...templateViews,
  ...monitorViews,
  ...systemViews,
  ...personalViews,
};

/** The loader of a word that the server sent; undefined for one that this console does not know. */
export const viewOf = (name: string): Load | undefined =>
  Object.hasOwn(views, name) ? views[name as ViewName] : undefined;
