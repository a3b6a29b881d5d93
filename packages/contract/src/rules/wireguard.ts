/** Keys and configuration of a WireGuard client, made where the client is. */

export interface KeyPair {
  /** Raw 32 bytes of X25519 (RFC 7748), base64 as wg(8) prints them. */
  readonly privateKey: string;
  readonly publicKey: string;
}

const fromUrl = (text: string): string =>
  `${text.replaceAll("-", "+").replaceAll("_", "/")}${"=".repeat((4 - (text.length % 4)) % 4)}`;

/**
 * A new key pair, by the crypto of the browser or of Node.
 * @throws Error when it has no X25519, or the page is not served securely.
 */
export async function makeKeyPair(): Promise<KeyPair> {
  const pair = await crypto.subtle.generateKey("X25519", true, ["deriveBits"]);
  if (!("privateKey" in pair)) throw new Error("X25519 gave no key pair");
  // RFC 8037: d is the private key, x the public one.
  const { d, x } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  if (!d || !x) throw new Error("X25519 gave no keys");
  return { privateKey: fromUrl(d), publicKey: fromUrl(x) };
}

/** What the controller says of a client (account.client), where it can connect. */
export interface ClientFacts {
  readonly address: string;
  readonly dns: string | null;
  readonly serverKey: string;
  readonly endpoint: string;
  readonly routes: readonly string[];
  readonly mtu: number;
}

/** Seconds: the POP may answer through the client's NAT for as long. */
const keepalive = 25;

/** The client's configuration as wg-quick(8) and the apps of WireGuard read it. */
export const clientFile = (client: ClientFacts, privateKey: string): string =>
  [
    "[Interface]",
    `PrivateKey = ${privateKey}`,
    `Address = ${client.address}`,
    ...(client.dns === null ? [] : [`DNS = ${client.dns}`]),
    `MTU = ${client.mtu}`,
    "",
    "[Peer]",
    `PublicKey = ${client.serverKey}`,
    `Endpoint = ${client.endpoint}`,
    `AllowedIPs = ${client.routes.join(", ")}`,
    `PersistentKeepalive = ${keepalive}`,
    "",
  ].join("\n");
