/** WAN links that are special lines and that real-time traffic does not prefer. Pure. */
import { line } from "@weft/contract/domains/devices/line.ts";
import type { PolicyFinding } from "./findings.ts";
import { type SpecialLineContext, specialLineVerdict } from "./special-line-verdict.ts";
import type { OwnLine } from "./verdict.ts";

export function specialLineFindings(
  lines: readonly OwnLine[],
  context: SpecialLineContext,
): PolicyFinding[] {
  const verdict = specialLineVerdict(context);
  if (verdict === null) return [];
  return lines.flatMap(({ id, name, slot, quality = 0 }): PolicyFinding[] =>
    id === undefined || quality === 0
      ? []
      : [
          {
            family: line.name,
            level: "node",
            objectId: id,
            name: name ?? String(slot),
            denies: false,
            ...verdict,
          },
        ],
  );
}
