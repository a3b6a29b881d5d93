/** What delivery uses: the findings of a compile. */
export { type PolicyFinding, type PolicyGround, policyFindings } from "./findings.ts";
export { oneFamilyFindings } from "./one-family.ts";
export { readSiteObjects, type SiteObject, siteFindings } from "./site-objects.ts";
export { writePolicyFindings } from "./write.ts";
