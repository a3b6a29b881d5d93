export { bytesOf, everyStep } from "./records.ts";
export { ownersOf } from "./store.ts";
