import {
  fromEdge,
  type MessageFromController,
  type MessageFromEdge,
  protocolVersion,
} from "@weft/contract/device/v1/messages.ts";
import { helloProof, welcomeProof } from "@weft/contract/device/v1/proof.ts";
import type { Device } from "#domains/devices/presence/public.ts";
import { wireReader } from "#kernel/compiled-schema.ts";
import { unstorablePath } from "#kernel/storable.ts";
import type { Random } from "./clock.ts";
import { type ControllerIdentity, isSignedBy } from "./identity.ts";
import { quarantined, Refused, removedNode } from "./refusal.ts";
import type { GatewayStore } from "./store.ts";

export type Hello = MessageFromEdge<"hello">;

/** Messages of devices, checked by code that is made of their schema once for all sockets. */
export const readMessage = wireReader(fromEdge);

/** A hello has some 300 bytes: nothing longer is even parsed before a device has proven itself. */
const maxHello = 2_048;

export const newNonce = (random: Random): string =>
  Buffer.from(random.bytes(24)).toString("base64url");

/** @throws Refused when the text is no hello of this protocol */
export function readHello(text: string): Hello {
  const wire = text.length > maxHello ? null : parseJson(text);
  const checked = readMessage(wire);
  if (!checked.ok || checked.value.type !== "hello") {
    throw new Refused("badMessage", "the first message is not a hello");
  }
  if (checked.value.protocol !== protocolVersion) {
    throw new Refused("protocol", `this controller speaks protocol ${protocolVersion}`);
  }
  return checked.value;
}

/** The value; null for text that is no JSON, or that holds text which no column could. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return unstorablePath(value) === null ? value : null;
  } catch {
    return null;
  }
}

/**
 * Checks that the sender holds the approved key of the node it speaks for.
 * @throws Refused
 */
export async function proveDevice(
  store: GatewayStore,
  hello: Hello,
  challenge: string,
): Promise<Device> {
  const { node, publicKey, nonce, signature } = hello;
  const found = await store.deviceIdentity(node, publicKey);
  if (!found) throw new Refused("unknownNode", "no node with this key");
  if (!isSignedBy(publicKey, helloProof(challenge, nonce, node), signature)) {
    throw new Refused("badSignature", "the hello is not signed by that key");
  }
  if (found.state === "pending") throw new Refused("notApproved", "waiting for approval");
  if (found.state === "quarantined") throw quarantined();
  if (found.state === "removed") throw removedNode();
  if (found.state !== "approved") throw new Refused("rejected", "this device was rejected");
  return { node, enterpriseId: found.enterpriseId, sn: found.sn, publicKey };
}

/** What the controller's proof is made with. */
interface Prover {
  readonly identity: Pick<ControllerIdentity, "sign">;
  readonly times: { readonly heartbeatSeconds: number };
  installationEpoch(): Promise<number>;
}

/** Proves the controller and its epoch to the device that sent the hello. */
export async function welcomeFor(
  prover: Prover,
  challenge: string,
  { nonce, node }: Hello,
): Promise<MessageFromController<"welcome">> {
  const epoch = await prover.installationEpoch();
  const signature = prover.identity.sign(welcomeProof(challenge, nonce, node, epoch));
  const { heartbeatSeconds } = prover.times;
  return { type: "welcome", signature, epoch, heartbeatSeconds };
}
