export { columnOf, tableOf } from "./columns.ts";
export { policySecretTables, resealPolicySecrets } from "./secrets.ts";
export { owners } from "./store.ts";
