import type { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { StandbyState } from "@weft/contract/domains/devices/enums.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { Translate } from "#client/texts.ts";
import type { Glyph, StateLabel } from "#ui/glyph.tsx";
import type { standbyMessages } from "./messages.ts";

const glyphs: Readonly<Record<StandbyState, Glyph>> = {
  active: "ok",
  standby: "ok",
  fault: "warn",
  alone: "warn",
};

/** What a device is in its standby group, as it reported; of one that is out of contact nothing is known. */
export const standbyLabel = (
  { hotStandbyGroup, standbyState }: Pick<RowOf<typeof cpe>, "hotStandbyGroup" | "standbyState">,
  t: Translate<keyof typeof standbyMessages>,
): StateLabel => {
  // A LAN line of its policies may name the group.
  if (hotStandbyGroup === null && standbyState === null)
    return { glyph: "disabled", label: t("standby.state.none") };
  if (standbyState === null) return { glyph: "unknown", label: t("standby.state.unknown") };
  return { glyph: glyphs[standbyState], label: t(`standby.state.${standbyState}`) };
};
