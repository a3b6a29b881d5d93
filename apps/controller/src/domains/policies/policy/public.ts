export { sealPolicySecrets } from "./secrets.ts";
