/** What delivery uses: the findings of a compile. */

export { type PolicyFinding, policyFindings } from "./findings.ts";
export { oneFamilyFindings } from "./one-family.ts";
export { slotOfMapping } from "./port-mappings.ts";
export { readSiteObjects, type SiteObject, siteFindings } from "./site-objects.ts";
export type { PolicyGround } from "./verdict.ts";
export { writePolicyFindings } from "./write.ts";
