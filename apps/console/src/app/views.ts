import type { ViewName } from "@weft/contract/menu.ts";
import { views as access } from "#domains/access/views.ts";
import { views as devices } from "#domains/devices/views.ts";
import { views as enterprises } from "#domains/enterprises/views.ts";
import { views as mobile } from "#domains/mobile/views.ts";
import { views as monitoring } from "#domains/monitoring/views.ts";
import { views as notifications } from "#domains/notifications/views.ts";
import { views as overlay } from "#domains/overlay/views.ts";
import { views as policies } from "#domains/policies/views.ts";
import { views as templates } from "#domains/templates/views.ts";
import type { Load, Views } from "#kernel/view.ts";

/** Each page about what went wrong, as a route of its own. */
const exception = (name: "ForbiddenPage" | "NotFoundPage" | "ServerErrorPage"): Load => {
  return () => import("#app/state-pages.tsx").then((pages) => ({ default: pages[name] }));
};

/** Screens that belong to no domain. */
const own = {
  Blank: () => import("#app/blank-page.tsx").then((page) => ({ default: page.BlankPage })),
  Exception403: exception("ForbiddenPage"),
  Exception404: exception("NotFoundPage"),
  Exception500: exception("ServerErrorPage"),
} satisfies Views;

/** Screen of each view key of the menu. */
const views: Readonly<Record<ViewName, Load>> = {
  ...own,
  ...access,
  ...devices,
  ...enterprises,
  ...mobile,
  ...monitoring,
  ...notifications,
  ...overlay,
  ...policies,
  ...templates,
};

/** No screen of the product: what screens are made of, for those who make some. */
export const kernelView: Load = () => import("#app/kernel-show/kernel-page.tsx");

/** The loader of a view key that the server sent; undefined for one that this console does not know. */
export const viewOf = (name: string): Load | undefined =>
  Object.hasOwn(views, name) ? views[name as ViewName] : undefined;
