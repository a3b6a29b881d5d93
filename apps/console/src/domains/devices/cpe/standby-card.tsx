import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { TimeText } from "#ui/time-text.tsx";
import type { CpeRow } from "./cpe-texts.ts";
import { useSiteTexts } from "./site-texts.ts";
import { standbyLabel } from "./standby-state.ts";

/** What a CPE is in its standby group now, and since when; nothing of one that is in none. */
export function StandbyCard({ id }: { readonly id: number }) {
  const row = useCall(cpeFindById, { id }, { every: refreshEvery }).data;
  return row ? <StandbyPlace row={row} /> : null;
}

function StandbyPlace({ row }: { readonly row: CpeRow }) {
  const t = useSiteTexts();
  const { hotStandbyGroup, hotStandbyRole, standbySince } = row;
  if (hotStandbyGroup === null) return null;
  return (
    <Card title={t("site.standby")}>
      <p>
        <StateText {...standbyLabel(row, t)} /> <TimeText value={standbySince} form="since" />
      </p>
      <p className="w-quiet">
        {t("standby.place", {
          group: hotStandbyGroup,
          role: t.code("hotStandbyRole", hotStandbyRole),
        })}
      </p>
    </Card>
  );
}
