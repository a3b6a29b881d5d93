export { createKeyAuthenticator, createReviver } from "./authenticate.ts";
