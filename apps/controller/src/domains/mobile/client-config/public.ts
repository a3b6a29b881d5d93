/** What accounts ask of the service that lets them in. */
export { findService, freeAddress, servicePops } from "./store.ts";
