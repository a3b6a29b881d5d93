import type { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { type Glyph, type StateLabel, StateText } from "#ui/glyph.tsx";
import { segmentMessages } from "./messages.ts";

type Row = RowOf<typeof segmentRoute>;

const glyphs: Readonly<Record<Row["state"], Glyph>> = {
  off: "disabled",
  acts: "ok",
  withdrawn: "warn",
  cannot: "bad",
  pending: "unknown",
};

/** Whether flows cross the POPs of a route, and why not. */
export const stateOf = (
  t: Translate<keyof typeof segmentMessages>,
  { state, reason, params, sites, sitesActing }: Row,
): StateLabel => {
  const isPart = state === "acts" && sitesActing < sites;
  return {
    glyph: isPart ? "warn" : glyphs[state],
    label: isPart
      ? t("segment.state.actsOn", { acting: sitesActing, sites })
      : t(`segment.state.${state}`),
    ...(reason !== null && {
      hint: t("segment.ordinary", { reason: t(`segment.reason.${reason}`, params) }),
    }),
  };
};

/** The same as a sentence. */
export function SegmentStateText({ row }: { readonly row: Row }) {
  const { hint, ...state } = stateOf(useTexts(segmentMessages), row);
  return (
    <>
      <StateText {...state} /> {hint && <span className="w-quiet">{hint}</span>}
    </>
  );
}
