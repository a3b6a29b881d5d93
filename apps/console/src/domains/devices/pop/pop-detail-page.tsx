import { SiteFrame } from "#domains/monitoring/parts/site/site-frame.tsx";
import { SiteOverviewCards } from "#domains/monitoring/parts/site/site-overview.tsx";

/** Why one POP is as it is: what happened on one axis, what others have, what its device says. */
export default function PopDetailPage() {
  return <SiteFrame tab="overview">{(site) => <SiteOverviewCards site={site} />}</SiteFrame>;
}
