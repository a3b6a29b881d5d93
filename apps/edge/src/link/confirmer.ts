import type { MessageFromController } from "@weft/contract/device/v1/messages.ts";
import { type StateId, stateIdOf } from "@weft/contract/device/v1/state.ts";
import { sleep } from "#edge/clock.ts";
import {
  type Confirmation,
  type ConfirmRequest,
  confirmUntil,
  isConfirmation,
  newConfirm,
} from "./confirm.ts";
import type { Link } from "./link.ts";
import type { SessionDeps } from "./session.ts";

const socketWaitMs = 5_000;

/** Gets the commit confirmation of a state: on the open connection if that suffices, else on new ones. */
export class Confirmer {
  readonly #deps: SessionDeps;
  readonly #link: Link;
  readonly #signal: AbortSignal;
  readonly #hasAnchor: () => boolean;
  #pending: { readonly request: ConfirmRequest; readonly done: AbortController } | null = null;

  /** @param hasAnchor whether the other end of a tunnel answers now */
  constructor(deps: SessionDeps, link: Link, signal: AbortSignal, hasAnchor: () => boolean) {
    this.#deps = deps;
    this.#link = link;
    this.#signal = signal;
    this.#hasAnchor = hasAnchor;
  }

  /** @param deadline on the monotonic clock, ms */
  async confirm(
    state: StateId,
    digest: string,
    light: boolean,
    deadline: number,
  ): Promise<Confirmation> {
    if (light && (await this.#onSocket(state, digest))) return { kind: "confirmed" };
    const ways = await this.#link.ways();
    const input = { ways, deadline, hasAnchor: this.#hasAnchor };
    return confirmUntil(this.#deps, input, state, digest, this.#signal);
  }

  /** An answer that came on the open connection. */
  take(answer: MessageFromController<"confirmed">): void {
    const { type: _, ...confirmation } = answer;
    const pending = this.#pending;
    if (!pending || answer.nonce !== pending.request.nonce) return;
    if (isConfirmation(this.#deps, pending.request, confirmation)) pending.done.abort();
    else this.#deps.log.error(stateIdOf(confirmation), "forged confirmation");
  }

  async #onSocket(state: StateId, digest: string): Promise<boolean> {
    const request = newConfirm(this.#deps, state, digest);
    const done = new AbortController();
    this.#pending = { request, done };
    if (this.#link.send({ type: "confirm", ...request }))
      await sleep(this.#deps.clock, socketWaitMs, AbortSignal.any([done.signal, this.#signal]));
    this.#pending = null;
    return done.signal.aborted;
  }
}
