/** What the health of an enterprise is called, and its sentence. */
import type { EnterpriseHealth } from "@weft/contract/domains/monitoring/enterprise-overview.ts";
import { useTexts } from "#client/texts.ts";
import { healthGlyphs } from "#parts/health/health-glyphs.ts";
import { healthMessages } from "#parts/health/messages.ts";
import type { StateLabel } from "#ui/glyph.tsx";
import { enterpriseHealthMessages } from "./messages.ts";

export const useGroupTexts = () => useTexts(enterpriseHealthMessages, healthMessages);
export type GroupTexts = ReturnType<typeof useGroupTexts>;

/** Icon and label. */
export const enterpriseState = ({ tone, reason }: EnterpriseHealth, t: GroupTexts): StateLabel => ({
  glyph: healthGlyphs[tone],
  label: t(`group.label.${reason}`),
});

/** The sentence of the cause. */
export function enterpriseSentence(health: EnterpriseHealth, t: GroupTexts): string {
  const { reason, state, count, of, site } = health;
  const isAll = reason !== "well" || count === of;
  return t(isAll ? `group.because.${reason}` : "group.because.wellOf", {
    count,
    of,
    name: site?.name ?? "",
    state: t(`node.health.${state ?? "none"}`),
  });
}
