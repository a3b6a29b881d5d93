/**
 * Clients that leave before their call is answered: a tab that was closed, a page that was left, a program that gave up. Nobody
 * reads the answer any more, so that a call which waits is not made, and one that reads gives back what it holds. One that has
 * begun to write goes on: whether it was carried out is then as it would be if its answer had been lost.
 */
import type { FastifyReply } from "fastify";

/** Why the call of a client that left ends; nobody is told. */
export class ClientGone extends Error {
  constructor() {
    super("the client left before its call was answered");
    this.name = "ClientGone";
  }
}

/** Is aborted, with ClientGone, when the connection of a call closes before the whole answer was sent. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => {
    if (!raw.writableFinished) controller.abort(new ClientGone());
  };
  if (raw.destroyed) leave();
  else raw.once("close", leave);
  return controller.signal;
}
