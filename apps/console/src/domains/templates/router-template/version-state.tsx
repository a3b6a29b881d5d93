import type { RolloutState } from "@weft/contract/domains/templates/rollout.ts";
import { StateText, StatusGlyph } from "#ui/glyph.tsx";
import { rolloutGlyph, useRolloutTexts } from "./rollout-texts.ts";

interface Version {
  readonly version: number;
  readonly isBad: boolean;
  /** null: it did not go out in waves. */
  readonly rolloutState: RolloutState | null;
}

/** False: all CPEs follow the version, and it needs no mark. */
export const isMarked = ({ isBad, rolloutState: state }: Version): boolean =>
  isBad || (state !== null && state !== "completed");

/** The mark of a bad version alone, where there is no room for its text. */
export function BadMark() {
  return <StatusGlyph glyph="bad" label={useRolloutTexts()("rollout.bad")} />;
}

/** A version, with the mark of a bad one and the state of its rollout. */
export function VersionState({ row }: { readonly row: Version }) {
  const t = useRolloutTexts();
  const { version, isBad, rolloutState: state } = row;
  if (!isMarked(row)) return <>{version}</>;
  const ofRollout = state === null ? undefined : t(`rollout.state.${state}`);
  const label = t("rollout.versionState", {
    version,
    state: isBad ? t("rollout.bad") : (ofRollout ?? ""),
  });
  const glyph = rolloutGlyph({ state: state ?? "completed", isBad });
  return <StateText glyph={glyph} label={label} hint={ofRollout} />;
}
