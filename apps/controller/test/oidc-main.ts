/**
 * The OpenID provider of the tests as a program: `oidc-main.ts <redirect URI>` prints its issuer, and reads on its
 * standard input who logs in from then on, a line of JSON for each.
 */
import { createInterface } from "node:readline";
import { oidcServer, type PersonThere } from "./oidc-server.ts";

const [redirectUri] = process.argv.slice(2);
if (redirectUri === undefined) throw new Error("a redirect URI is needed");
const server = await oidcServer(redirectUri);
console.log(server.issuer);
for await (const line of createInterface(process.stdin)) {
  server.person = JSON.parse(line) as PersonThere;
  console.log(`next: ${server.person.sub}`);
}
await server.close();
