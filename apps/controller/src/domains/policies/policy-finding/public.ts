/** What delivery uses: the findings of a compile. */
export { type PolicyFinding, type PolicyGround, policyFindings } from "./findings.ts";
export { writePolicyFindings } from "./write.ts";
