/** Enterprises, for rows of other features that show their names. */
import { namesIn } from "#kernel/row-names.ts";

/** The name of the enterprise in a field. */
export const enterprise = namesIn("enterprise");
export { holderNames } from "./enterprise/holders.ts";
