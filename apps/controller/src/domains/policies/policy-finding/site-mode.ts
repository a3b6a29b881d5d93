/** A site beside the gateway of its LANs, whose device cannot translate what comes out of the space. Pure. */
import { translatesSpace } from "@weft/contract/device/v1/additions.ts";
import { xModeOf } from "@weft/contract/domains/devices/enums.ts";
import { siteModeFamily } from "@weft/contract/domains/policies/policy-finding.ts";
import type { PolicyFinding } from "./findings.ts";
import type { PolicyContext } from "./verdict.ts";

interface SiteMode {
  readonly id: number;
  readonly name: string;
  readonly xMode?: number;
}

/** Without it, hosts answer the space by their gateway, which does not know the way. */
export const siteModeFindings = (
  { id, name, xMode }: SiteMode,
  { capabilities }: Pick<PolicyContext, "capabilities">,
): PolicyFinding[] =>
  xMode !== xModeOf.bypassNat || capabilities === null || translatesSpace(capabilities)
    ? []
    : [
        {
          family: siteModeFamily,
          level: "node",
          objectId: id,
          name,
          effect: "cannot",
          reason: "notCarriedOut",
          params: {},
          denies: false,
        },
      ];
