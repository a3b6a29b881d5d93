export { columnOf, tableOf } from "./columns.ts";
export { policySecretTables, resealPolicySecrets, type SecretOwner, secretOf } from "./secrets.ts";
export { owners } from "./store.ts";
