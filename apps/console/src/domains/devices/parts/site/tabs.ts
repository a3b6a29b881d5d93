/** The tabs of a site's page: which it can fill, and their addresses. Pure. */
import type { SiteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { paths } from "#client/paths.ts";

export const siteTabs = [
  "overview",
  "paths",
  "traffic",
  "applications",
  "configuration",
  "changes",
  "logs",
] as const;
export type SiteTab = (typeof siteTabs)[number];

/** What the device has ever reported is there; without a report there is nothing to show. */
const wasSeen = ({ node }: SiteOverview): boolean => node.lastOnline !== null;

const fills: Readonly<Record<SiteTab, (overview: SiteOverview, mayConfigure: boolean) => boolean>> =
  {
    overview: () => true,
    paths: ({ linkCount }) => linkCount > 0,
    traffic: wasSeen,
    // Not known is not "none".
    applications: ({ node, hasFlows }) => node.kind === "cpe" && hasFlows !== false,
    configuration: ({ state }, mayConfigure) => mayConfigure && state.configVisible,
    changes: ({ state }) => state.configVisible,
    logs: wasSeen,
  };

/** Tabs that have something in them, and the open one. */
export const tabsOf = (
  overview: SiteOverview,
  open: SiteTab,
  mayConfigure: boolean,
): readonly SiteTab[] =>
  siteTabs.filter((tab) => tab === open || fills[tab](overview, mayConfigure));

type Of = Pick<SiteOverview["node"], "id" | "kind">;

const pathOf = ({ id, kind }: Of, tab: SiteTab): string => {
  if (tab === "overview") return kind === "cpe" ? paths.cpeDetail(id) : paths.popDetail(id);
  if (tab === "configuration") return kind === "cpe" ? paths.cpeSet(id) : paths.popSet(id);
  return paths.nodePage(kind, id, tab);
};

/**
 * Address of a tab.
 * @param query what else it says: the range that is looked at, what is open
 */
export function sitePath(
  of: Of,
  tab: SiteTab,
  query: { readonly range?: string | null; readonly open?: string } = {},
): string {
  const rest = new URLSearchParams();
  if (query.range) rest.set("range", query.range);
  if (query.open !== undefined) rest.set("open", query.open);
  const path = pathOf(of, tab);
  return rest.size === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${rest}`;
}
