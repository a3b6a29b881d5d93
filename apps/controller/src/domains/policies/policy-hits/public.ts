/** What the gateway uses of hits. */
export { ownObjects } from "./own-objects.ts";
