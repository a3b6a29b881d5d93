/** What the loop and the families of policies use of router templates. */
export { type IssuedTemplate, readIssued } from "./issued.ts";
