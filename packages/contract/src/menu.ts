import { businessMenu } from "./menu/business.ts";
import { dealMenu } from "./menu/deal.ts";
import { looseMenu } from "./menu/loose.ts";
import { monitorMenu } from "./menu/monitor.ts";
import { defineMenu, type ViewOf } from "./menu/node.ts";
import { ownMenu, personalMenu } from "./menu/personal.ts";
import { siteMenu } from "./menu/site.ts";
import { systemMenu } from "./menu/system.ts";

/**
 * The built-in tree of section 2.3 and the hidden routes of 2.4 (spec/routes.json). The server
 * filters it by what a session may see.
 */
export const menu = defineMenu([
  siteMenu,
  businessMenu,
  monitorMenu,
  systemMenu,
  dealMenu,
  personalMenu,
  ...ownMenu,
  ...looseMenu,
]);

/** Every view word of the tree: the console's table of views is checked against it. */
export type ViewName = ViewOf<(typeof menu)[number]>;
