export { policySecretTables, resealPolicySecrets } from "./secrets.ts";
