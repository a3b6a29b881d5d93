/**
 * The proof that the device still reaches its controller after an apply (design section 3.6): on a new
 * connection, because the old socket may live on over a path that the new state took away.
 */
import {
  anchorExtraMs,
  type confirmAnswer,
  confirmAnswer as confirmAnswerSchema,
  confirmPath,
  type confirmRequest,
  confirmUnable,
  type Refusal,
  refused,
} from "@weft/contract/device/v1/messages.ts";
import { confirmedProof, confirmProof, unableProof } from "@weft/contract/device/v1/proof.ts";
import { compareStates, type StateId, stateIdOf } from "@weft/contract/device/v1/state.ts";
import type { z } from "zod";
import { between, sleep } from "#edge/clock.ts";
import { reasonOf } from "#edge/log.ts";
import { isSignedBy, keyHash } from "#store/keys.ts";
import { newNonce } from "./nonce.ts";
import type { SessionDeps, Way } from "./session.ts";

export type ConfirmRequest = z.output<typeof confirmRequest>;
export type ConfirmAnswer = z.output<typeof confirmAnswer>;

export type Confirmation =
  | { readonly kind: "confirmed" }
  /** `refusal`: the controller was reached, and refused. */
  | { readonly kind: "none"; readonly why: string; readonly refusal: Refusal | null }
  /** A controller was reached and answered, signed, that it cannot decide now. */
  | { readonly kind: "unable"; readonly why: string; readonly refusal: null };

const callTimeoutMs = 5_000;
const pauseMs = { min: 1_000, max: 2_000 };

/** A signed proof for one state, with a fresh nonce. */
export const newConfirm = (deps: SessionDeps, state: StateId, digest: string): ConfirmRequest => {
  const { node } = deps.enrolment;
  const nonce = newNonce(deps.random);
  const signature = deps.identity.sign(confirmProof(node, state, digest, nonce));
  return { node, ...stateIdOf(state), digest, nonce, signature };
};

const isByController = (deps: SessionDeps, text: string, signature: string): boolean =>
  deps.controllerKeys().some((key) => isSignedBy(key, text, signature));

/** True when the controller signed that it could not decide about exactly this question. */
const isUnable = (
  deps: SessionDeps,
  request: ConfirmRequest,
  answer: z.output<typeof confirmUnable>,
): boolean =>
  answer.nonce === request.nonce &&
  isByController(deps, unableProof(request.node, request, request.nonce), answer.signature);

/** True when the controller signed that it committed exactly this confirmation. */
export const isConfirmation = (
  deps: SessionDeps,
  request: ConfirmRequest,
  answer: ConfirmAnswer,
): boolean =>
  answer.nonce === request.nonce &&
  compareStates(answer, request) === 0 &&
  isByController(deps, confirmedProof(request.node, request, request.nonce), answer.signature);

const readAnswer = (deps: SessionDeps, request: ConfirmRequest, text: string): Confirmation => {
  const body: unknown = JSON.parse(text);
  const no = refused.safeParse(body);
  if (no.success) {
    const { reason, text: message } = no.data;
    // Rejected without a check is no decision on the state: it counts as a controller that was not reached.
    const isUnanswered = reason === "tooMany" || reason === "busy";
    return { kind: "none", why: `${reason}: ${message}`, refusal: isUnanswered ? null : reason };
  }
  const unable = confirmUnable.safeParse(body);
  if (unable.success && isUnable(deps, request, unable.data))
    return { kind: "unable", why: "the controller cannot reach its database", refusal: null };
  if (unable.success)
    return { kind: "none", why: "the answer is not signed by the controller", refusal: null };
  if (isConfirmation(deps, request, confirmAnswerSchema.parse(body))) return { kind: "confirmed" };
  return { kind: "none", why: "the answer is not signed by the controller", refusal: null };
};

const attempt = async (
  deps: SessionDeps,
  way: Way,
  state: StateId,
  digest: string,
  timeoutMs: number,
): Promise<Confirmation> => {
  const request = newConfirm(deps, state, digest);
  const target = { ...way, keyHashes: deps.controllerKeys().map(keyHash) };
  try {
    const body = JSON.stringify(request);
    const { text } = await deps.dial.post(target, confirmPath, body, timeoutMs);
    return readAnswer(deps, request, text);
  } catch (error) {
    return { kind: "none", why: reasonOf(error), refusal: null };
  }
};

interface ConfirmInput {
  /** Ways to controllers, tried in turn. */
  readonly ways: readonly Way[];
  /** On the monotonic clock, ms. */
  readonly deadline: number;
  /** Whether the other end of a tunnel answers now. */
  hasAnchor(): boolean;
}

/**
 * Asks for the commit confirmation on new connections until it comes or the deadline passes.
 * An anchor shows that the state did not cut the device off (design section 3.6), and the deadline is put off
 * once: a controller at any of the addresses that says, signed, that it cannot decide; or the other end
 * of a tunnel that answers at the deadline, when no controller was reached. WireGuard proves who
 * answers there, and what it answers to was sent long after the apply.
 */
export const confirmUntil = async (
  deps: SessionDeps,
  { ways, deadline, hasAnchor }: ConfirmInput,
  state: StateId,
  digest: string,
  signal: AbortSignal,
): Promise<Confirmation> => {
  let last: Confirmation = { kind: "none", why: "not tried", refusal: null };
  let end = deadline;
  const mayWait = (): boolean =>
    end === deadline && last.kind === "none" && last.refusal === null && hasAnchor();
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (deps.clock.monotonic() >= end && mayWait()) {
      end = deadline + anchorExtraMs;
      deps.log.warn(
        { ...state },
        "no controller is reachable, but a tunnel responds; extending the confirmation deadline",
      );
    }
    const leftMs = end - deps.clock.monotonic();
    if (leftMs <= 0) break;
    const way = ways[turn % ways.length] as Way;
    last = await attempt(deps, way, state, digest, Math.min(callTimeoutMs, leftMs));
    if (last.kind === "confirmed") return last;
    if (last.kind === "unable") end = deadline + anchorExtraMs;
    deps.log.warn({ ...way, ...state, why: last.why }, "the state is not confirmed yet");
    const pause = between(deps.random, pauseMs.min, pauseMs.max);
    const untilEnd = end - deps.clock.monotonic();
    await sleep(deps.clock, Math.min(pause, Math.max(untilEnd, 0)), signal);
  }
  return last;
};
