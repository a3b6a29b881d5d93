/**
 * The proof that the box still reaches its controller after an apply (design section 3.6): on a new
 * connection, because the old socket may live on over a path that the new state took away.
 */
import {
  type confirmAnswer,
  confirmAnswer as confirmAnswerSchema,
  confirmPath,
  type confirmRequest,
  type Refusal,
  refused,
} from "@weft/contract/device/v1/messages.ts";
import { confirmedProof, confirmProof } from "@weft/contract/device/v1/proof.ts";
import type { StateId } from "@weft/contract/device/v1/state.ts";
import type { z } from "zod";
import { between, sleep } from "#edge/clock.ts";
import { reasonOf } from "#edge/log.ts";
import { isSignedBy, keyHash } from "#store/keys.ts";
import { newNonce } from "./nonce.ts";
import type { SessionDeps } from "./session.ts";

export type ConfirmRequest = z.output<typeof confirmRequest>;
export type ConfirmAnswer = z.output<typeof confirmAnswer>;

export type Echo =
  | { readonly kind: "confirmed" }
  /** `refusal`: the controller was reached, and said no. */
  | { readonly kind: "none"; readonly why: string; readonly refusal: Refusal | null };

const callTimeoutMs = 5_000;
const pauseMs = { least: 1_000, most: 2_000 };

/** A signed proof for one state, with a fresh nonce. */
export const newConfirm = (deps: SessionDeps, state: StateId, digest: string): ConfirmRequest => {
  const { node } = deps.enrolment;
  const { epoch, serial } = state;
  const nonce = newNonce(deps.random);
  const signature = deps.identity.sign(confirmProof(node, state, digest, nonce));
  return { node, epoch, serial, digest, nonce, signature };
};

/** True when the controller signed that it committed exactly this confirmation. */
export const isEcho = (deps: SessionDeps, asked: ConfirmRequest, answer: ConfirmAnswer): boolean =>
  answer.nonce === asked.nonce &&
  answer.epoch === asked.epoch &&
  answer.serial === asked.serial &&
  isSignedBy(
    deps.enrolment.controllerKey,
    confirmedProof(asked.node, asked, asked.nonce),
    answer.signature,
  );

const readAnswer = (deps: SessionDeps, asked: ConfirmRequest, text: string): Echo => {
  const body: unknown = JSON.parse(text);
  const no = refused.safeParse(body);
  if (no.success) {
    const { reason, text: words } = no.data;
    return { kind: "none", why: `${reason}: ${words}`, refusal: reason };
  }
  if (isEcho(deps, asked, confirmAnswerSchema.parse(body))) return { kind: "confirmed" };
  return { kind: "none", why: "the answer is not signed by the controller", refusal: null };
};

const attempt = async (
  deps: SessionDeps,
  address: string,
  state: StateId,
  digest: string,
  timeoutMs: number,
): Promise<Echo> => {
  const asked = newConfirm(deps, state, digest);
  const target = { address, keyHash: keyHash(deps.enrolment.controllerKey) };
  try {
    const body = JSON.stringify(asked);
    const { text } = await deps.dial.post(target, confirmPath, body, timeoutMs);
    return readAnswer(deps, asked, text);
  } catch (error) {
    return { kind: "none", why: reasonOf(error), refusal: null };
  }
};

/**
 * Asks for the echo on new connections until it comes or the deadline passes.
 *
 * @param addresses controllers, tried in turn
 * @param deadline on the monotonic clock, ms
 */
export const confirmUntil = async (
  deps: SessionDeps,
  addresses: readonly string[],
  state: StateId,
  digest: string,
  deadline: number,
  signal: AbortSignal,
): Promise<Echo> => {
  let last: Echo = { kind: "none", why: "not tried", refusal: null };
  for (let turn = 0; !signal.aborted; turn += 1) {
    const leftMs = deadline - deps.clock.monotonic();
    if (leftMs <= 0) break;
    const address = addresses[turn % addresses.length] as string;
    last = await attempt(deps, address, state, digest, Math.min(callTimeoutMs, leftMs));
    if (last.kind === "confirmed") return last;
    deps.log.warn({ address, ...state, why: last.why }, "the state is not confirmed yet");
    const pause = between(deps.random, pauseMs.least, pauseMs.most);
    const untilEnd = deadline - deps.clock.monotonic();
    await sleep(deps.clock, Math.min(pause, Math.max(untilEnd, 0)), signal);
  }
  return last;
};
