export { readEnterpriseSites } from "./enterprise.ts";
export { enterpriseHealthOf, tonesOf } from "./enterprise-verdict.ts";
export { readFacts } from "./facts.ts";
export { renewHealth } from "./write.ts";
