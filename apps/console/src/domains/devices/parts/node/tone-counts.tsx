import {
  type ToneCounts as Counts,
  type HealthTone,
  healthTones,
} from "@weft/contract/domains/devices/health.ts";
import { healthGlyphs } from "#parts/health/health-glyphs.ts";
import { StateCounts } from "#ui/glyph.tsx";
import { useNodeTexts } from "./node-texts.ts";

/** Tones that are always counted; others only while there are any. */
const always: readonly HealthTone[] = ["bad", "warn", "ok"];

interface Props {
  readonly counts: Counts;
  readonly onPick?: (tone: HealthTone) => void;
}

/** How many nodes have each tone, the worst first. */
export function ToneCounts({ counts, onPick }: Props) {
  const t = useNodeTexts();
  const shown = healthTones.filter((tone) => counts[tone] > 0 || always.includes(tone));
  const pick = onPick && {
    onPick: (glyph: string) => {
      const tone = healthTones.find((healthTone) => healthGlyphs[healthTone] === glyph);
      if (tone) onPick(tone);
    },
  };
  return (
    <StateCounts
      counts={shown.map((tone) => ({
        glyph: healthGlyphs[tone],
        count: counts[tone],
        label: t(`node.tones.${tone}`),
      }))}
      {...pick}
    />
  );
}
