import { popFindById } from "@weft/contract/resources/pop.ts";
import { Link } from "react-router";
import { cardOfPop } from "#kernel/node/node-card.ts";
import { NodeDetail } from "#kernel/node/node-detail.tsx";
import { NodeScreen } from "#kernel/node/node-screen.tsx";
import { paths, useNumberParam } from "#kernel/paths.ts";
import { May } from "#kernel/session.tsx";
import { refreshEvery, useCall } from "#kernel/use-call.ts";
import { usePopTexts } from "./pop-texts.ts";

/** How one POP is now: verdict, links, lines, capabilities, tasks. */
export default function PopDetailPage() {
  const t = usePopTexts();
  const id = useNumberParam("id");
  const asked = useCall(popFindById, id === null ? null : { id }, { every: refreshEvery });
  return (
    <NodeScreen id={id} asked={asked}>
      {(row) => (
        <NodeDetail
          node={cardOfPop(row)}
          actions={
            <May code="popConfig">
              <Link className="w-link" to={paths.popSet(row.id)}>
                {t("node.configure")}
              </Link>
            </May>
          }
        />
      )}
    </NodeScreen>
  );
}
