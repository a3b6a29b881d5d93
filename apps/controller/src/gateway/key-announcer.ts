import type { MessageFromController } from "@weft/contract/device/v1/messages.ts";
import { heldKeyProof, nextKeyProof } from "@weft/contract/device/v1/proof.ts";
import type { Hello } from "./hello.ts";
import type { FleetIdentity } from "./identity.ts";
import { Refused } from "./refusal.ts";

/** Of one connection: a device reports once, and once more each time a change is prepared or given up. */
const maxReports = 20;

/** Announces to the device of one connection which key its controller will change to. */
export class KeyAnnouncer {
  readonly #identity: () => FleetIdentity;
  readonly #send: (message: MessageFromController<"nextKey">) => void;
  #hello: Hello | null = null;
  #challenge = "";
  #reports = 0;
  /** The next key that the device reported or was sent; undefined: it has not reported any yet. */
  #known: string | null | undefined;

  constructor(
    identity: () => FleetIdentity,
    send: (message: MessageFromController<"nextKey">) => void,
  ) {
    this.#identity = identity;
    this.#send = send;
  }

  /** Both have proven themselves. */
  greeted(challenge: string, hello: Hello): void {
    this.#challenge = challenge;
    this.#hello = hello;
  }

  /**
   * The device has reported the second key that it holds.
   * @returns the newest key of the controller that is on its disk; one of a change that was given up is none
   * @throws Refused: each of these reports may be a row of the operation log
   */
  reported(next: string | null): string {
    // A device that could not keep what it was sent gets it again on its next connection only.
    if (this.#known === undefined) this.#known = next;
    this.#reports += 1;
    if (this.#reports > maxReports)
      throw new Refused("tooMany", "too many reports of keys", 60_000);
    const identity = this.#identity();
    return next !== null && next === identity.next?.publicKey ? next : identity.publicKey;
  }

  /** Sends the next key to a device that reports another one, or none. */
  announce(): void {
    const identity = this.#identity();
    const next = identity.next ?? null;
    const key = next?.publicKey ?? null;
    if (!this.#hello || this.#known === undefined || this.#known === key) return;
    this.#known = key;
    const { nonce, node } = this.#hello;
    const signature = identity.sign(nextKeyProof(this.#challenge, nonce, node, key));
    const held = next && {
      key: next.publicKey,
      signature: next.sign(heldKeyProof(this.#challenge, nonce, node, next.publicKey)),
    };
    this.#send({ type: "nextKey", next: held, signature });
  }
}
