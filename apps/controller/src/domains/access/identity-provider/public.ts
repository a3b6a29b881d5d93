export { providersAt } from "./login-store.ts";
export { resealClientSecrets } from "./secret.ts";
