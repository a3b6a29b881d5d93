/**
 * Time, chance, sockets and log as they are passed in to sockets of devices: the gateway takes them
 * from nowhere else, so that a seeded simulation can run it (design section 3, ADR 0009).
 */
import { randomBytes } from "node:crypto";

export interface Clock {
  /** Ms on a clock that no change of the wall clock moves. */
  monotonic(): number;
  /** @returns undoes it */
  setTimeout(callback: () => void, ms: number): () => void;
}

export interface Random {
  bytes(count: number): Uint8Array;
  /** At least 0, below 1. */
  fraction(): number;
}

/** Timers do not keep the process alive. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  fraction: () => Math.random(),
};

/** Calls back again and again until undone; the next time counts from the last. */
export function every(clock: Clock, ms: number, callback: () => void): () => void {
  let undo = (): void => undefined;
  const next = (): void => {
    undo = clock.setTimeout(() => {
      next();
      callback();
    }, ms);
  };
  next();
  return () => undo();
}

type Write = (fields: object, text: string) => void;

/** What the gateway logs through; pino's own shape. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

/** A WebSocket as far as the gateway uses it; that of `ws` is one. */
export interface DeviceSocket {
  readonly readyState: number;
  readonly OPEN: number;
  on(
    event: "message",
    listener: (data: { toString(): string }, isBinary: boolean) => void,
  ): unknown;
  on(event: "ping", listener: (data: Buffer) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  once(event: "pong", listener: () => void): unknown;
  /** Bytes that were given to `send` and have not left. */
  readonly bufferedAmount: number;
  /** @param left called once the text has left, or cannot any more. */
  send(text: string, left: () => void): void;
  ping(): void;
  pong(data: Buffer): void;
  pause(): void;
  resume(): void;
  close(code: number): void;
  terminate(): void;
}
