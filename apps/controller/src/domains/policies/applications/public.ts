export { hostsOf, requireKnown } from "./routes.ts";
