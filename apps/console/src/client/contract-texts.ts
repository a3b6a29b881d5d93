/**
 * Brings the texts of the contract: rules, codes and fields of every resource. All screens say some;
 * the login, which is rendered before they are there, brings its few fields itself.
 */
import { contractMessages } from "@weft/contract/messages.ts";
import { registerMessages } from "./texts.ts";

registerMessages(contractMessages);
