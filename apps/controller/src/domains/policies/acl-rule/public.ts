export { requireAclRoom } from "./limit-store.ts";
