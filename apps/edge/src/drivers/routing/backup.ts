/**
 * A site with two devices: both announce its networks, and what comes from the one that stands by is taken only where
 * nothing else leads there. It says so by the well-known community of RFC 8326, which travels with the routes through
 * every reflector; what a receiver's own preference of a link is does not matter then. Pure.
 */
import { type ConfigLine, top, under } from "./lines.ts";

const name = "backup";
const community = "graceful-shutdown";

/** In an entry of a map of what is announced. */
export const backupTag = `set community ${community}`;
/** In an entry of a map of what is taken: it runs after everything that the entry sets. */
export const backupCall = `call ${name}`;

const tagged = `route-map ${name} permit 10`;
export const backupMap: readonly ConfigLine[] = [
  top(`bgp community-list standard ${name} seq 5 permit ${community}`),
  top(tagged),
  ...[`match community ${name}`, "set local-preference 0"].map(under(tagged)),
  top(`route-map ${name} permit 20`),
];
