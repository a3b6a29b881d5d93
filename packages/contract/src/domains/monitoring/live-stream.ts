/** Names of the stream of events, apart from its schemas: the worker that tabs of the console share needs no more. */

/** Where the stream of a ticket is: `?ticket=`, server-sent events (HTML standard, 9.2). */
export const livePath = "/customer/live/events";
/** Event of the stream: something changed state; `data` is a LiveEvent, the id its sequence. */
export const liveEventName = "transition";
/** Event of the stream: more may have been missed than the stream can say; all must be read again. */
export const liveReset = "reset";
/** Event of the stream every 15 s, without content: one by which nothing came for a while leads nowhere any more. */
export const liveHeartbeat = "heartbeat";
