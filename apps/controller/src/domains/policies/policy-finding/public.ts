/** What delivery uses: the findings of a compile. */

export { type CircuitContext, circuitFindings, circuitVerdicts } from "./circuits.ts";
export { routesAnswers } from "./dns-controls.ts";
export { type PolicyFinding, policyFindings } from "./findings.ts";
export { filledLine, rangeOfLan } from "./interface-lines.ts";
export { sentCards } from "./interfaces.ts";
export { lanRangeFindings } from "./lan-ranges.ts";
export { oneFamilyFindings } from "./one-family.ts";
export { isDenial, pathOf, slotsOf, translationOf } from "./policy-routes.ts";
export { keptReservations, reservationFindings } from "./reservations.ts";
export { siteModeFindings } from "./site-mode.ts";
export { sentHosts, sentNames, siteNameFindings } from "./site-names.ts";
export { blockedAt, readSiteObjects, type SiteObject, siteFindings } from "./site-objects.ts";
export { interfaceTo, passwordTo } from "./site-routing.ts";
export { specialLineFindings } from "./special-lines.ts";
export { isConfirmed } from "./summarize.ts";
export { deniesHosts } from "./url-rules.ts";
export { groupFindings } from "./user-groups.ts";
export { cannot, type PolicyContext, type Verdict } from "./verdict.ts";
export { slotOfLine } from "./wan-lines.ts";
export { type NodeFindings, writePolicyFindings } from "./write.ts";
