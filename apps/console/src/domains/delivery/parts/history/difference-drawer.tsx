import { stateDifference } from "@weft/contract/domains/delivery/history.ts";
import { useCall } from "#client/use-call.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { Differences } from "./differences.tsx";
import { useHistoryTexts } from "./history-texts.ts";
import { type StateOwner, serialText } from "./state-owner.ts";

/** Which two states: null for `from` is what runs, null for `to` what is not sent yet. */
export interface Pair {
  readonly from: number | null;
  readonly to: number | null;
}

export interface DifferenceProps {
  readonly node: StateOwner;
  /** Null: closed. */
  readonly pair: Pair | null;
  readonly onClose: () => void;
}

/** What lies between two states of a node, section by section. */
export function DifferenceDrawer({ node, pair, onClose }: DifferenceProps) {
  const t = useHistoryTexts();
  const result = useCall(stateDifference, pair && { id: node.id, ...pair });
  const { data } = result;
  const title = t("difference.title", {
    name: node.name,
    from: data && data.from === null ? t("difference.nothing") : serialText(data?.from ?? null),
    to: pair?.to == null ? t("difference.present") : serialText(pair.to),
  });
  return (
    <Drawer open={pair !== null} size={720} title={title} onClose={onClose}>
      {data ? (
        <Differences
          objects={data.objects}
          count={data.count}
          none={t(data.to === null ? "difference.nonePending" : "difference.none")}
        />
      ) : result.error ? (
        <Failed error={result.error} retry={result.refetch} />
      ) : (
        <Loading rows={4} />
      )}
    </Drawer>
  );
}
