import type {
  installationStatus,
  PartState,
} from "@weft/contract/domains/monitoring/installation.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useTexts } from "#client/texts.ts";
import type { Glyph, StateLabel } from "#ui/glyph.tsx";
import { installationMessages } from "./messages.ts";

export type Status = OutputOf<typeof installationStatus>;

export const useInstallationTexts = () => useTexts(installationMessages);
export type InstallationTexts = ReturnType<typeof useInstallationTexts>;

const glyphs: Readonly<Record<PartState, Glyph>> = {
  ok: "ok",
  warn: "warn",
  bad: "bad",
  unknown: "unknown",
};

/** A state with its icon; what is unknown has its own. */
export const stateOf = (state: PartState, t: InstallationTexts): StateLabel => ({
  glyph: glyphs[state],
  label: t(`installation.state.${state}`),
});

/** A duration in the largest unit that it fills: 45 s, 12 min, 3 h, 2 d. */
export const ageText = (seconds: number, t: InstallationTexts): string => {
  if (seconds < 120) return t("installation.seconds", { n: Math.round(seconds) });
  if (seconds < 7_200) return t("installation.minutes", { n: Math.floor(seconds / 60) });
  if (seconds < 172_800) return t("installation.hours", { n: Math.floor(seconds / 3_600) });
  return t("installation.days", { n: Math.floor(seconds / 86_400) });
};
