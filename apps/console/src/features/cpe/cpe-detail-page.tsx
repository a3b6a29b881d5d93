import { cpeFindById } from "@weft/contract/resources/cpe.ts";
import { Link } from "react-router";
import { cardOfCpe } from "#kernel/node/node-card.ts";
import { NodeDetail } from "#kernel/node/node-detail.tsx";
import { NodeScreen } from "#kernel/node/node-screen.tsx";
import { paths, useNumberParam } from "#kernel/paths.ts";
import { May } from "#kernel/session.tsx";
import { refreshEvery, useCall } from "#kernel/use-call.ts";
import { useCpeTexts } from "./cpe-texts.ts";

/** How one CPE is now: verdict, links, lines, capabilities, tasks. */
export default function CpeDetailPage() {
  const t = useCpeTexts();
  const id = useNumberParam("id");
  const asked = useCall(cpeFindById, id === null ? null : { id }, { every: refreshEvery });
  return (
    <NodeScreen id={id} asked={asked}>
      {(row) => (
        <NodeDetail
          node={cardOfCpe(row)}
          actions={
            <May code="cpeConfig">
              <Link className="w-link" to={paths.cpeSet(row.id)}>
                {t("node.configure")}
              </Link>
            </May>
          }
        />
      )}
    </NodeScreen>
  );
}
