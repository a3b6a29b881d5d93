/** What the loop and the families of policies use of router templates. */
export { type PublishedTemplate, readPublished } from "./published.ts";
