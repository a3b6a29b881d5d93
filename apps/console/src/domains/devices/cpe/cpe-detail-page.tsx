import { SiteFrame } from "#domains/monitoring/parts/site/site-frame.tsx";
import { SiteOverviewCards } from "#domains/monitoring/parts/site/site-overview.tsx";
import { ContactLog } from "./contact-log.tsx";
import { StandbyCard } from "./standby-card.tsx";

/** Why one CPE is as it is: what happened on one axis, what others have, what its device says. */
export default function CpeDetailPage() {
  return (
    <SiteFrame tab="overview">
      {(site) => (
        <SiteOverviewCards
          site={site}
          last={
            <>
              <StandbyCard id={site.overview.node.id} />
              <ContactLog node={site.overview.node} />
            </>
          }
        />
      )}
    </SiteFrame>
  );
}
