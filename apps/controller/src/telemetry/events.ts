/**
 * What parts of the controller announce for the metrics of this process. Nothing is passed through them for
 * it, and an event without a listener costs one comparison: the metrics are off unless a setting asks for them.
 */
import { channel } from "node:diagnostics_channel";
import type { FromEdge, Refusal } from "@weft/contract/device/v1/messages.ts";
import type { Channel } from "@weft/contract/domains/notifications/channels.ts";

export interface Event<Fact extends object> {
  publish(fact: Fact): void;
  /** @returns ends it */
  listen(listener: (fact: Fact) => void): () => void;
}

function event<Fact extends object>(name: string): Event<Fact> {
  const events = channel(`weft.${name}`);
  return {
    publish(fact) {
      if (events.hasSubscribers) events.publish(fact);
    },
    listen(listener) {
      const received = (fact: unknown): void => listener(fact as Fact);
      events.subscribe(received);
      return () => void events.unsubscribe(received);
    },
  };
}

/** A run of repeated work ended. */
export const loopRan = event<{
  readonly loop: string;
  readonly seconds: number;
  readonly failed: boolean;
}>("loop");

/** How many sockets of devices are open in this process now. */
export const socketsChanged = event<{
  /** Of devices that proved themselves. */
  readonly devices: number;
  readonly unproven: number;
}>("sockets");

/** A valid message of a device was worked on. */
export const deviceMessageTaken = event<{ readonly message: FromEdge }>("device-message");

/** A device confirmed a desired state, so many seconds after it was sent to it. */
export const stateConfirmed = event<{ readonly seconds: number }>("state-confirmed");

export const deviceRefused = event<{ readonly reason: Refusal }>("device-refused");

/** The TLS listener for devices has this certificate from now on. */
export const certificateServed = event<{ readonly pem: string }>("certificate");

/** An attempt to send a message of the outbox ended, or the message expired. */
export const messageAttempted = event<{
  readonly channel: Channel;
  readonly result: MessageResult;
}>("message");
export const messageResults = ["sent", "retried", "failed", "expired"] as const;
export type MessageResult = (typeof messageResults)[number];

/** A block of metrics of devices was written to the metrics store, or was not. */
export const blockWritten = event<{
  readonly rows: number;
  /** Since its first message was received. */
  readonly seconds: number;
  readonly kept: boolean;
}>("block");
