import type { ViewName } from "@weft/contract/menu.ts";
import { views as access, firstCalls as accessFirst } from "#domains/access/views.ts";
import { views as devices, firstCalls as devicesFirst } from "#domains/devices/views.ts";
import {
  views as enterprises,
  firstCalls as enterprisesFirst,
} from "#domains/enterprises/views.ts";
import { views as mobile, firstCalls as mobileFirst } from "#domains/mobile/views.ts";
import { views as monitoring, firstCalls as monitoringFirst } from "#domains/monitoring/views.ts";
import {
  views as notifications,
  firstCalls as notificationsFirst,
} from "#domains/notifications/views.ts";
import { views as overlay, firstCalls as overlayFirst } from "#domains/overlay/views.ts";
import { views as policies, firstCalls as policiesFirst } from "#domains/policies/views.ts";
import { views as templates, firstCalls as templatesFirst } from "#domains/templates/views.ts";
import type { FirstCalls, FirstCallsByView, Load, Views } from "#kernel/view.ts";

/** Each page about what went wrong, as a route of its own. */
const exception = (name: "ForbiddenPage" | "NotFoundPage" | "ServerErrorPage"): Load => {
  return () => import("#app/state-pages.tsx").then((pages) => ({ default: pages[name] }));
};

/** Screens that belong to no domain. */
const generalViews = {
  Blank: () => import("#app/blank-page.tsx").then((page) => ({ default: page.BlankPage })),
  Exception403: exception("ForbiddenPage"),
  Exception404: exception("NotFoundPage"),
  Exception500: exception("ServerErrorPage"),
} satisfies Views;

/** Screen of each view key of the menu. */
const views: Readonly<Record<ViewName, Load>> = {
  ...generalViews,
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

const firstCalls: FirstCallsByView = {
  ...accessFirst,
  ...devicesFirst,
  ...enterprisesFirst,
  ...mobileFirst,
  ...monitoringFirst,
  ...notificationsFirst,
  ...overlayFirst,
  ...policiesFirst,
  ...templatesFirst,
};

/** What the screen of a view key asks for first; undefined: it does not say. */
export const firstCallsOf = (name: string): FirstCalls | undefined =>
  Object.hasOwn(firstCalls, name) ? firstCalls[name as ViewName] : undefined;
