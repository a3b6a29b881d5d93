/** What the health of an enterprise is called, and its sentence. */
import type { EnterpriseHealth } from "@weft/contract/domains/monitoring/enterprise-overview.ts";
import { useTexts } from "#client/texts.ts";
import { healthGlyphs } from "#domains/devices/parts/node/health.ts";
import { type NodeTexts, useNodeTexts } from "#domains/devices/parts/node/node-texts.ts";
import type { StateLabel } from "#ui/glyph.tsx";
import { enterpriseHealthMessages } from "./messages.ts";

const useOwnTexts = () => useTexts(enterpriseHealthMessages);

export interface GroupTexts {
  readonly t: ReturnType<typeof useOwnTexts>;
  readonly ofNodes: NodeTexts;
}

export const useGroupTexts = (): GroupTexts => ({ t: useOwnTexts(), ofNodes: useNodeTexts() });

/** Icon and label. */
export const enterpriseState = (
  { tone, reason }: EnterpriseHealth,
  { t }: GroupTexts,
): StateLabel => ({ glyph: healthGlyphs[tone], label: t(`group.label.${reason}`) });

/** The sentence of the cause. */
export function enterpriseSentence(health: EnterpriseHealth, { t, ofNodes }: GroupTexts): string {
  const { reason, state, count, of, site } = health;
  const isAll = reason !== "well" || count === of;
  return t(isAll ? `group.because.${reason}` : "group.because.wellOf", {
    count,
    of,
    name: site?.name ?? "",
    state: ofNodes(`node.health.${state ?? "none"}`),
  });
}
