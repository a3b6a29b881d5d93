/** What the loop and the families of policies use of router templates. */
export { adoptVersion, type IssuedTemplate, readIssued, type TemplateVersion } from "./issued.ts";
