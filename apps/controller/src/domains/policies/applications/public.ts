export { requireKnown } from "./routes.ts";
